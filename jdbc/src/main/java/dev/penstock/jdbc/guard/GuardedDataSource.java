package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.pool.HikariPool;
import dev.penstock.Setting;
import dev.penstock.jdbc.postgres.ServerStatements;
import dev.penstock.text.Durations;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Logger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection pool that never hands out a dead connection, for any JDBC 4 driver:
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
 * <p>HikariCP manages the borrowing. What it lends is a {@link PooledConnection}, which decides whether there is a live
 * connection inside. Before a caller gets it, the pool checks its socket without blocking, where the driver lets
 * Penstock create the socket (PostgreSQL's does). If it was idle for longer than any connection seen alive, the pool
 * also validates it by a round trip, with a timeout derived from measured round trips. In the background the {@link
 * HouseKeeper} keeps as many connections alive as are wanted, finds out by tests at which idle age the network drops
 * connections ({@link IdleTimeoutEstimator}), and closes unneeded ones before that age. {@link PoolSizing} decides how
 * many are allowed and kept warm.
 *
 * <p>Thread-safe.
 */
public final class GuardedDataSource implements DataSource, AutoCloseable {
    private final PoolContext context;
    private final Demand demand;
    private final ServerStatements statements = new ServerStatements();
    private final HikariConfig config;
    private final HikariPool pool;
    private final PoolResizer poolResizer;
    private final HouseKeeper houseKeeper;
    private final DataSourceSettings settings;
    private final Duration borrowTimeout;
    private final int max;
    private volatile boolean closed;

    GuardedDataSource(GuardedDataSourceBuilder builder) {
        this.demand = new Demand(builder.ticker);
        this.context = builder.context(demand, statements);
        this.borrowTimeout = builder.borrowTimeout;
        this.max = builder.max == 0 ? Integer.MAX_VALUE : builder.max;
        PoolSizing sizing = new PoolSizing(builder.max, builder.warm);
        this.config = hikari(builder, sizing);
        this.settings = new DataSourceSettings(builder, context, sizing);
        this.pool = new HikariPool(config);
        this.poolResizer = new PoolResizer(sizing, demand, context, config, settings);
        this.houseKeeper = new HouseKeeper(context, poolResizer, builder.maxAge.toNanos(), builder.ticker);
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

    private HikariConfig hikari(GuardedDataSourceBuilder builder, PoolSizing sizing) {
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName(builder.name());
        hikari.setDataSource(new PooledConnectionSource(context));
        hikari.setMaximumPoolSize(sizing.max());
        hikari.setMinimumIdle(Math.max(1, sizing.warm()));
        hikari.setConnectionTimeout(Math.max(250, builder.borrowTimeout.toMillis()));
        hikari.setValidationTimeout(250);
        // HouseKeeper decides about idle time and age; HikariCP only removes the entries that it has closed.
        hikari.setIdleTimeout(10_000);
        hikari.setMaxLifetime(0);
        hikari.setKeepaliveTime(0);
        hikari.setInitializationFailTimeout(-1);
        hikari.setAutoCommit(builder.autoCommit);
        hikari.setReadOnly(builder.readOnly);
        if (builder.isolation != null) {
            hikari.setTransactionIsolation(builder.isolation);
        }
        hikari.validate();
        return hikari;
    }

    /**
     * Borrows a live connection, waiting at most for the borrow timeout. {@link Connection#close} gives it back; {@link
     * Connection#abort} before that closes it for good.
     *
     * @throws SQLTransientConnectionException when no connection became free or could be opened in time
     * @throws SQLException when the data source is closed
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
     * @throws SQLException when the data source is closed
     */
    public Connection getConnection(Duration wait) throws SQLException {
        if (closed) {
            throw new SQLException("the data source " + context + " is closed", "08003");
        }
        demand.requested();
        boolean borrowed = false;
        try {
            Connection lease = borrow(context.now() + Durations.nanos(wait));
            borrowed = true;
            return lease;
        } finally {
            if (!borrowed) {
                demand.abandoned();
            }
        }
    }

    private Connection borrow(long until) throws SQLException {
        while (true) {
            long left = Math.max(TimeUnit.MILLISECONDS.toNanos(1), until - context.now());
            Connection pooled = pooled(left);
            PooledConnection slot = pooled.unwrap(PooledConnection.class);
            try {
                if (slot.borrow(left)) {
                    return new LeasedConnection(context, pool, pooled, slot);
                }
            } catch (InterruptedException e) {
                pooled.close();
                Thread.currentThread().interrupt();
                throw new SQLTransientConnectionException("interrupted while waiting for a connection", "08001", e);
            }
            pool.evictConnection(pooled);
            if (context.now() - until >= 0) {
                throw new SQLTransientConnectionException(
                        "cannot open a connection to " + context + " in time: "
                                + context.report().lastFailure(),
                        "08001");
            }
        }
    }

    private Connection pooled(long left) throws SQLException {
        long patience = poolResizer.patience();
        if (patience >= left) {
            return pool.getConnection(millis(left));
        }
        try {
            return pool.getConnection(millis(patience));
        } catch (SQLTransientConnectionException noneYet) {
            poolResizer.widen();
            return pool.getConnection(millis(left - patience));
        }
    }

    private static long millis(long nanos) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    /** The configured maximum number of connections; {@link Integer#MAX_VALUE} if it adapts. */
    public int maxConnections() {
        return max;
    }

    /** The current settings, each with its reason: {@code pool.max}, {@code pool.warm}, {@code pool.idle} and so on. */
    public List<Setting> settings() {
        return Stream.concat(settings.now().stream(), statements.settings().stream())
                .toList();
    }

    /**
     * The number of connections by state ({@code leased}, {@code idle}). {@code opened} counts all connections opened
     * since the start, {@code found_dead} those found closed by the server or the network. With {@link
     * GuardedDataSourceBuilder#leakAfter}, {@code leaked} counts those in use for too long now.
     */
    public Map<String, Long> connections() {
        GuardReport report = report();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("leased", (long) report.leased());
        counts.put("idle", (long) report.idle());
        counts.put("opened", report.opened());
        counts.put("found_dead", report.metByCallers() + report.foundIdle());
        if (context.leaks().isOn()) {
            counts.put("leaked", (long) context.leaks().overdue());
        }
        return counts;
    }

    /** The current state and counters. */
    public GuardReport report() {
        return context.report();
    }

    /** Closes all connections immediately. Idempotent. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        houseKeeper.stop();
        try {
            pool.shutdown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        context.close();
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

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        if (kind.isInstance(this)) {
            return kind.cast(this);
        }
        if (kind == ServerStatements.class) {
            return kind.cast(statements);
        }
        throw new SQLException("a GuardedDataSource does not wrap a " + kind.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) {
        return kind.isInstance(this);
    }

    @Override
    public String toString() {
        return "GuardedDataSource(" + context + ")";
    }
}
