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
 * Keeps the driver of PostgreSQL from preparing statements on the server where a pooler is in front of it.
 *
 * <h2>Design note</h2>
 *
 * <p>The driver names what it prepares (S_1, S_2 ...), and COMMIT is among it. A pooler such as PgBouncer lends another
 * backend for each transaction, where S_2 does not exist or is the statement of another client. So a COMMIT could run
 * something else, and rows that were reported as committed were not there. With a threshold of 0 the driver names nothing.
 *
 * <p>A pooler is recognized by its process id: it invents the one that it sends at login, while the database reports the one
 * of the backend. PgBouncer does so in all of its modes. The modes cannot be told apart, so a session pooler loses
 * server-side statements too. A pooler that hands the true id on is recognized by the first error about a prepared
 * statement. Once recognized, it stays so: addresses do not lose their poolers while a process runs.
 *
 * <p>Safe for many threads.
 */
public final class ServerStatements {
    /** What the database says when a prepared statement is missing, or there already. */
    private static final Set<String> MISPLACED = Set.of("26000", "42P05");

    /** Ids of processes are used again; more than that are not live at once. */
    private static final int MOST_KNOWN = 10_000;

    private static final String ON = "on";
    private static final String OFF = "off";

    private static final Logger LOG = LoggerFactory.getLogger(ServerStatements.class);

    private final Set<Integer> direct = ConcurrentHashMap.newKeySet();
    private volatile @Nullable String pooler;
    private volatile @Nullable LiveSetting setting;

    /**
     * Prepares a connection for use: asks the database once for each connection, unless a pooler is known. Does nothing for
     * other databases.
     *
     * @throws SQLException the database could not be asked
     */
    public void prepare(Connection connection) throws SQLException {
        if (PostgresDriver.IS_THERE) {
            DriverAccess.prepare(this, connection);
        }
    }

    boolean isPoolerKnown() {
        return pooler != null;
    }

    boolean isDirect(int backend) {
        return direct.contains(backend);
    }

    /** What a connection announced at login, and the process id of the backend that answers on it. */
    void asked(int announced, int actual) {
        if (actual != announced) {
            found("a pooler is in front of the database: it announced backend process " + announced
                    + ", and the database answers as process " + actual
                    + "; a statement prepared on one backend is missing, or another one, on the next");
            return;
        }
        if (direct.size() >= MOST_KNOWN) {
            direct.clear();
        }
        direct.add(announced);
        show();
    }

    /** Learns from an error of the database. */
    public void met(SQLException error) {
        if (pooler == null && error.getSQLState() != null && MISPLACED.contains(error.getSQLState())) {
            found("a pooler or a failover is likely, since the database answered: "
                    + String.valueOf(error.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private void found(String why) {
        synchronized (direct) {
            if (pooler != null) {
                return;
            }
            pooler = why;
        }
        show();
        LOG.info("server-side statements of PostgreSQL are off: {}", why);
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
                        ON,
                        "on, off",
                        "no pooler is in front of the database: it answers as the announced process",
                        false)
                : new Now(OFF, "on, off", why, false);
    }

    /** The setting with its reason; none before a connection to PostgreSQL was open. */
    public List<Setting> settings() {
        LiveSetting known = setting;
        return known == null ? List.of() : List.of(known.setting());
    }
}
