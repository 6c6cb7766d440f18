package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.pool.HikariPool;
import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.jdbc.postgres.ServerStatements;
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
 * A data source that never hands out a dead connection, for any JDBC 4 driver:
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
 * <p>HikariCP lends connections out; what it lends is a {@link PooledConnection}, and whether there is a live connection in it is decided
 * here. Before a caller gets one: a look at its socket that does not wait, where the driver lets us make the socket
 * (PostgreSQL's does); and a round trip, bounded by what round trips take, when it lay idle for longer than any was seen
 * alive. In the background the {@link HouseKeeper} keeps alive as many as are wanted, finds out by tests at which idle age the
 * way kills ({@link IdleTimeoutEstimator}), and closes what is not wanted before that age. How many are allowed and kept warm is {@link
 * PoolSizing}'s word.
 *
 * <p>Safe for many threads.
 */
public final class GuardedDataSource implements DataSource, AutoCloseable {
    private final PoolContext guard;
    private final Demand demand;
    private final ServerStatements statements = new ServerStatements();
    private final HikariConfig config;
    private final HikariPool pool;
    private final PoolResizer poolResizer;
    private final HouseKeeper houseKeeper;
    private final DataSourceSettings settings;
    private final Duration borrowTimeout;
    private volatile boolean closed;

    GuardedDataSource(GuardedDataSourceBuilder builder) {
        this.demand = new Demand(builder.ticker);
        this.guard = builder.guard(demand, statements);
        this.borrowTimeout = builder.borrowTimeout;
        PoolSizing shape = new PoolSizing(builder.max, builder.warm);
        this.config = hikari(builder, shape);
        this.settings = new DataSourceSettings(builder, guard, shape);
        this.pool = new HikariPool(config);
        this.poolResizer = new PoolResizer(shape, demand, guard, config, settings);
        this.houseKeeper = new HouseKeeper(guard, poolResizer, builder.maxAge.toNanos(), builder.ticker);
        houseKeeper.start();
    }

    /**
     * Begins a data source at a JDBC URL.
     *
     * @param url with a driver on the class path that knows it
     * @throws IllegalArgumentException when none does
     */
    public static GuardedDataSourceBuilder at(String url) {
        return GuardedDataSourceBuilder.at(url);
    }

    /**
     * Begins a data source over another that opens a connection each time: a driver's own, no pool.
     *
     * @param name what it is called in logs and in the state file
     */
    public static GuardedDataSourceBuilder over(DataSource connections, String name) {
        return GuardedDataSourceBuilder.over(connections, name);
    }

    private HikariConfig hikari(GuardedDataSourceBuilder builder, PoolSizing shape) {
        HikariConfig hikari = new HikariConfig();
        hikari.setPoolName(builder.name());
        hikari.setDataSource(new PooledConnectionSource(guard));
        hikari.setMaximumPoolSize(shape.max());
        hikari.setMinimumIdle(Math.max(1, shape.warm()));
        hikari.setConnectionTimeout(Math.max(250, builder.borrowTimeout.toMillis()));
        hikari.setValidationTimeout(250);
        // What is idle and how old it may get is the caretaker's business; HikariCP only drops the places of what he
        // closed.
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
     * A live connection, as soon as one is free, and no later than the borrow timeout. Give it back with {@link
     * Connection#close}; {@link Connection#abort} before that ends it, so that nobody else gets it.
     *
     * @throws SQLTransientConnectionException none came free or could be opened in time
     * @throws SQLException the data source is closed
     */
    @Override
    public Connection getConnection() throws SQLException {
        return getConnection(borrowTimeout);
    }

    /**
     * A live connection, as soon as one is free.
     *
     * @param wait how long at most; more than 0
     * @throws SQLTransientConnectionException none came free or could be opened in time
     * @throws SQLException the data source is closed
     */
    public Connection getConnection(Duration wait) throws SQLException {
        if (closed) {
            throw new SQLException("the data source " + guard + " is closed: build another", "08003");
        }
        demand.entered();
        boolean lent = false;
        try {
            Connection lease = lend(guard.now() + Durations.nanos(wait));
            lent = true;
            return lease;
        } finally {
            if (!lent) {
                demand.gone();
            }
        }
    }

    private Connection lend(long until) throws SQLException {
        while (true) {
            long left = Math.max(TimeUnit.MILLISECONDS.toNanos(1), until - guard.now());
            Connection pooled = pooled(left);
            PooledConnection slot = pooled.unwrap(PooledConnection.class);
            try {
                if (slot.lend(left)) {
                    return new LeasedConnection(guard, pool, pooled, slot);
                }
            } catch (InterruptedException e) {
                pooled.close();
                Thread.currentThread().interrupt();
                throw new SQLTransientConnectionException("interrupted while waiting for a connection", "08001", e);
            }
            pool.evictConnection(pooled);
            if (guard.now() - until >= 0) {
                throw new SQLTransientConnectionException(
                        "no connection to " + guard + " could be opened in time: "
                                + guard.report().lastFailure(),
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

    /** Its settings as they are now, each with its reason; {@code pool.max}, {@code pool.warm}, {@code pool.idle} and so on. */
    public List<Setting> settings() {
        return Stream.concat(settings.now().stream(), statements.settings().stream())
                .toList();
    }

    /**
     * How many connections it has, by state ({@code leased}, {@code idle}); {@code opened} counts all ever opened, and {@code
     * found_dead} those that somebody else had ended. With {@link GuardedDataSourceBuilder#leakAfter}, {@code leaked} are those
     * out for too long now.
     */
    public Map<String, Long> connections() {
        GuardReport report = report();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("leased", (long) report.leased());
        counts.put("idle", (long) report.idle());
        counts.put("opened", report.opened());
        counts.put("found_dead", report.metByCallers() + report.foundIdle());
        if (guard.leaks().isOn()) {
            counts.put("leaked", (long) guard.leaks().overdue());
        }
        return counts;
    }

    /** What it is like now, and what it has counted. */
    public GuardReport report() {
        return guard.report();
    }

    /** Closes every connection, at once. Does nothing the second time. */
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
        guard.close();
    }

    /** The same as {@link #getConnection()}: all connections are of one user. */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("all connections are of one user: call getConnection()");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("it logs by slf4j");
    }

    /** The borrow timeout in seconds, rounded up. */
    @Override
    public int getLoginTimeout() {
        return (int) Math.min(Integer.MAX_VALUE, (borrowTimeout.toMillis() + 999) / 1000);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("give the borrow timeout to the builder");
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("it logs by slf4j");
    }

    @Override
    public <T> T unwrap(Class<T> kind) throws SQLException {
        if (kind.isInstance(this)) {
            return kind.cast(this);
        }
        if (kind == ServerStatements.class) {
            return kind.cast(statements);
        }
        throw new SQLException("a GuardedDataSource is no " + kind.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> kind) {
        return kind.isInstance(this);
    }

    @Override
    public String toString() {
        return "GuardedDataSource(" + guard + ")";
    }
}
