package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import dev.penstock.LiveSetting;
import dev.penstock.LiveSetting.Now;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.jdbc.postgres.ServerStatements;
import dev.penstock.text.Durations;
import java.io.PrintWriter;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A HikariCP pool whose connections are checked before a caller gets one, for any JDBC 4 driver:
 *
 * <pre>{@code
 * try (var database = GuardedDataSource.at("jdbc:postgresql://db.example/billing")
 *         .user("billing").password(secret)
 *         .state(StateFile.at(Path.of("penstock-state")))
 *         .build()) {
 *     ...
 * }
 * }</pre>
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP lends, queues, resets, and detects leaks. Its connections are ours ({@link PooledConnection}), so that a
 * dead one is noticed within milliseconds and replaced beside others. The {@link HouseKeeper} keeps idle connections
 * alive, and learns from those that died how often that must be.
 *
 * <p>Thread-safe.
 */
public final class GuardedDataSource implements DataSource, Target.Pool, AutoCloseable {
    private final String name;
    private final Duration borrowTimeout;
    private final int max;
    private final ServerStatements statements = new ServerStatements();
    private final ConnectionOpener connectionOpener;
    private final HouseKeeper houseKeeper;
    private final HikariDataSource hikari;
    private final HikariPool pool;
    private final PoolSizing sizing = new PoolSizing();
    private final LongAdder returned = new LongAdder();
    private final List<LiveSetting> settings;
    private long returnedBefore;
    private long roundBefore;

    GuardedDataSource(GuardedDataSourceBuilder builder, HikariConfig config) {
        this.name = builder.name();
        this.borrowTimeout = builder.borrowTimeout;
        this.max = builder.max;
        ValidationTimeout validationTimeout = new ValidationTimeout();
        this.connectionOpener = new ConnectionOpener(builder, config, statements, validationTimeout);
        this.houseKeeper = new HouseKeeper(builder, connectionOpener, validationTimeout, this::resize);
        this.roundBefore = houseKeeper.now();
        this.settings = new ArrayList<>(adaptive(validationTimeout));
        settings.addAll(builder.configured());
        config.setDataSource(shells(config));
        this.hikari = new HikariDataSource(config);
        // Only the pool itself, which its beans are, takes the longest wait of each call.
        this.pool = (HikariPool) hikari.getHikariPoolMXBean();
        houseKeeper.start();
    }

    /**
     * A builder for a JDBC URL.
     *
     * @param url a URL that a driver on the class path accepts
     * @throws IllegalArgumentException when no driver does
     */
    public static GuardedDataSourceBuilder at(String url) {
        return GuardedDataSourceBuilder.at(url);
    }

    /**
     * A builder over another data source.
     *
     * @param connections opens a new connection on each call: a driver's data source, not a pool
     * @param name the name in logs and in the state file
     */
    public static GuardedDataSourceBuilder over(DataSource connections, String name) {
        return GuardedDataSourceBuilder.over(connections, name);
    }

    private void resize(long now) {
        long nanos = now - roundBefore;
        if (max == 0 && nanos >= HouseKeeper.ROUND) {
            long sum = returned.sum();
            sizing.round(
                    (sum - returnedBefore) * 1e9 / nanos,
                    pool.getActiveConnections(),
                    pool.getThreadsAwaitingConnection());
            hikari.setMaximumPoolSize(sizing.max());
            returnedBefore = sum;
            roundBefore = now;
        }
    }

    /**
     * Borrows a live connection, waiting at most for the borrow timeout. {@link Connection#close} gives it back; {@link
     * Connection#abort} before that closes it for good, at once and from any thread.
     *
     * @throws SQLTransientConnectionException when no connection became free or could be opened in time
     * @throws SQLException when the data source is closed, or the database refuses this user for good
     */
    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(borrowTimeout);
    }

    /**
     * Borrows a live connection.
     *
     * @param wait the maximum time to wait; above 0
     * @throws SQLTransientConnectionException when no connection became free or could be opened in time
     * @throws SQLException when the data source is closed, or the database refuses this user for good
     */
    public Connection getConnection(Duration wait) throws SQLException {
        if (hikari.isClosed()) {
            throw connectionOpener.closedSource();
        }
        long nanos = Durations.nanos(wait);
        long until = houseKeeper.now() + nanos;
        Connection pooled = pool.getConnection(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        try {
            return new LeasedConnection(houseKeeper, pooled, returned, until).forCaller();
        } catch (InterruptedException e) {
            pooled.close();
            Thread.currentThread().interrupt();
            throw new SQLTransientConnectionException("interrupted while waiting for a connection", "08001", e);
        } catch (Throwable e) {
            pooled.close();
            throw e;
        }
    }

    /** The configured maximum number of connections; {@link Integer#MAX_VALUE} if it adapts. */
    public int maxConnections() {
        return max == 0 ? Integer.MAX_VALUE : max;
    }

    /** The name in logs and metrics. */
    @Override
    public String name() {
        return name;
    }

    /** The current settings, each with its reason: {@code pool.max}, {@code pool.idle} and so on. */
    @Override
    public List<Setting> settings() {
        return Stream.concat(settings.stream().map(LiveSetting::setting), statements.settings().stream())
                .toList();
    }

    private List<LiveSetting> adaptive(ValidationTimeout validationTimeout) {
        IdleTimeoutEstimator idle = houseKeeper.idleTimeout();
        return List.of(
                GuardedDataSourceBuilder.live(
                        "pool.max",
                        () -> max == 0
                                ? new Now(sizing.max() + "", GuardedDataSourceBuilder.SIZES, sizing.reason(), false)
                                : new Now(max + "", GuardedDataSourceBuilder.SIZES, "configured", true)),
                GuardedDataSourceBuilder.live(
                        "pool.idle",
                        () -> new Now(
                                idle.value(), GuardedDataSourceBuilder.IDLE_TIMES, idle.reason(), idle.isPinned())),
                GuardedDataSourceBuilder.live(
                        "pool.validation_timeout",
                        () -> new Now(validationTimeout.value(), "30ms or more", validationTimeout.reason(), false)));
    }

    /**
     * The number of connections by state ({@code leased}, {@code idle}), and of callers that wait for one ({@code pending}). {@code opened} counts all connections opened
     * since the start, {@code found_dead} those found closed by the server or the network.
     */
    @Override
    public Map<String, Long> connections() {
        GuardReport report = report();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("leased", (long) report.leased());
        counts.put("idle", (long) report.idle());
        counts.put("pending", (long) report.waiting());
        counts.put("opened", report.opened());
        counts.put("found_dead", report.metByCallers() + report.foundIdle());
        return counts;
    }

    /** The current state and counters. */
    public GuardReport report() {
        return houseKeeper.report(pool.getActiveConnections(), pool.getThreadsAwaitingConnection());
    }

    /** Closes all connections immediately. Idempotent. */
    @Override
    public void close() {
        houseKeeper.stop();
        connectionOpener.close();
        hikari.close();
    }

    /** The source of HikariCP's connections: shells. HikariCP's other calls have no effect. */
    private DataSource shells(HikariConfig config) {
        return (DataSource) Proxy.newProxyInstance(
                GuardedDataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (_, method, _) -> switch (method.getName()) {
                    case "getConnection" -> houseKeeper.newShell(config).forHikari();
                    // So many seconds HikariCP waits for its own threads when it closes.
                    case "getLoginTimeout" -> 5;
                    default -> null;
                });
    }

    /**
     * Not supported: all connections have the same user.
     *
     * @throws SQLFeatureNotSupportedException always
     */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("all connections have the same user; call getConnection()");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("the data source logs through SLF4J");
    }

    /** The borrow timeout, in seconds, rounded up. */
    @Override
    public int getLoginTimeout() {
        return (int) Math.min(Integer.MAX_VALUE, (borrowTimeout.toMillis() + 999) / 1000);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("set borrowTimeout on the builder");
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("the data source logs through SLF4J");
    }

    /**
     * Gives this, or HikariCP's data source and beans, for its metrics and settings only: connections are borrowed from
     * this.
     */
    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        return Stream.of(this, hikari, pool, statements)
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow(() -> new SQLException("a GuardedDataSource does not wrap a " + kind.getName()));
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) {
        return Stream.of(this, hikari, pool).anyMatch(kind::isInstance);
    }

    @Override
    public String toString() {
        return "GuardedDataSource(" + name + ")";
    }
}
