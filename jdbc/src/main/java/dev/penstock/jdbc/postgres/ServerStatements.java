package dev.penstock.jdbc.postgres;

import dev.penstock.LiveSetting;
import dev.penstock.LiveSetting.Now;
import dev.penstock.Setting;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns server-side prepared statements off when a connection pooler is in front of PostgreSQL.
 *
 * <h2>Design note</h2>
 *
 * <p>The driver names the statements that it prepares (S_1, S_2 ...), COMMIT among them. A pooler such as PgBouncer
 * assigns another backend to each transaction, on which S_2 does not exist or is the statement of another client. So a
 * COMMIT could execute another statement, and rows reported as committed were missing. With a threshold of 0 the driver
 * prepares nothing on the server.
 *
 * <p>A pooler is detected by the process id: it generates the one that it sends at login, while the database reports
 * that of the backend. PgBouncer does so in all of its modes. The modes cannot be distinguished, so server-side
 * statements are off in session mode too. A pooler that passes the real id on is detected by the first error about a
 * prepared statement. The detection is permanent: an address does not lose its pooler while a process runs.
 *
 * <p>Thread-safe.
 */
public final class ServerStatements {
    /** Prepared statement does not exist, or exists already. */
    private static final Set<String> MISPLACED = Set.of("26000", "42P05");

    /**
     * A bound for the set of known process ids, which the system reuses; no more than that are live at the same time.
     */
    private static final int MAX_KNOWN = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(ServerStatements.class);

    private final Set<Integer> direct = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String pooler;
    private volatile @Nullable LiveSetting setting;

    /**
     * Prepares a connection for use: queries the backend's process id once for each connection, until a pooler is
     * detected. Does nothing for other databases.
     *
     * @throws SQLException when the query failed
     */
    public void prepare(Connection connection) throws SQLException {
        if (PostgresDriver.IS_PRESENT) {
            DriverAccess.prepare(this, connection);
        }
    }

    boolean isPoolerKnown() {
        return pooler != null;
    }

    boolean isDirect(int backend) {
        return direct.contains(backend);
    }

    /** Compares the process id announced at login with that of the backend that answers. */
    void compare(int announced, int actual) {
        if (actual != announced) {
            disable("a connection pooler is in front of the database: it announced backend process " + announced
                    + ", but process " + actual
                    + " answers; a statement prepared on one backend is missing or different on the next");
            return;
        }
        if (direct.size() >= MAX_KNOWN) {
            direct.clear();
        }
        direct.add(announced);
        show();
    }

    /** Detects a pooler by an error of the database about a prepared statement. */
    public void detectPooler(SQLException error) {
        if (pooler == null && error.getSQLState() != null && MISPLACED.contains(error.getSQLState())) {
            disable("a connection pooler or a failover is likely: "
                    + String.valueOf(error.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private void disable(String why) {
        synchronized (direct) {
            if (pooler != null) {
                return;
            }
            pooler = why;
        }
        show();
        LOG.info("server-side prepared statements are off for PostgreSQL: {}", why);
    }

    private void show() {
        if (setting == null) {
            setting = new LiveSetting("pool.server_statements", this::now, InstantSource.system());
        }
    }

    private Now now() {
        String why = pooler;
        return why == null
                ? new Now(
                        "on",
                        "on, off",
                        "no connection pooler in front of the database: the announced backend process answers",
                        false)
                : new Now("off", "on, off", why, false);
    }

    /** The setting with its reason; empty before the first connection to PostgreSQL. */
    public List<Setting> settings() {
        LiveSetting known = setting;
        return known == null ? List.of() : List.of(known.setting());
    }
}
