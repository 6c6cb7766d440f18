package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;
import dev.penstock.jdbc.guard.PhysicalConnection.Ping;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The connection that HikariCP manages: a shell around a physical connection, which is opened, validated and replaced
 * without HikariCP.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP decides who gets a shell, how long a caller waits for one, how many there are, and what is reset
 * afterwards. It opens connections one after another, and cannot replace a chosen one. So a shell costs nothing to make
 * and never dies: its borrower makes sure that a live connection is inside, on its own thread, concurrently with other
 * callers, and receives the driver's own error if that fails.
 *
 * <p>Outside a lease, HikariCP's calls are answered without I/O: {@link ConnectionOpener} sets up each physical
 * connection as HikariCP is configured.
 */
final class PooledConnection implements InvocationHandler {
    /** What HikariCP takes for the initial values of a connection, and restores after a lease. */
    private static final int INITIAL_ISOLATION = Connection.TRANSACTION_NONE;

    private static final int INITIAL_TIMEOUT = Integer.MAX_VALUE;
    private static final int UNKNOWN = -1;

    private final HouseKeeper houseKeeper;
    private final HikariConfig config;
    private final AtomicReference<@Nullable PhysicalConnection> current = new AtomicReference<>();
    private volatile boolean borrowing;
    private volatile boolean closed;

    /** The real initial values, read before the borrower changes them. */
    private int isolation;

    private int networkTimeout;

    PooledConnection(HouseKeeper houseKeeper, HikariConfig config) {
        this.houseKeeper = houseKeeper;
        this.config = config;
    }

    Connection forHikari() {
        return (Connection) Proxy.newProxyInstance(
                PooledConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
    }

    /** Whether a caller is about to get it, and will replace a dead connection itself. */
    boolean isBorrowing() {
        return borrowing;
    }

    @Nullable
    PhysicalConnection physical() {
        return current.get();
    }

    /**
     * Gives a live connection to a caller, who has just got this shell from HikariCP. A connection that answers late
     * competes with a new one.
     *
     * @param until the end of the caller's time, by the ticker
     * @throws SQLException when there is none in time, or for an error that another attempt would only repeat
     */
    PhysicalConnection borrow(LeasedConnection to, long until) throws SQLException, InterruptedException {
        isolation = UNKNOWN;
        networkTimeout = UNKNOWN;
        borrowing = true;
        long start = houseKeeper.now();
        CompletableFuture<PhysicalConnection> next = null;
        try {
            while (true) {
                PhysicalConnection old = current.get();
                Ping ping = null;
                if (old != null) {
                    old.endLease();
                    if (old.lend(to)) {
                        if (houseKeeper.isTrusted(old, start)) {
                            return old;
                        }
                        old.endLease();
                    }
                    ping = houseKeeper.ping(old);
                    if (ping != null
                            && next == null
                            && ping.isAnswered(Math.min(houseKeeper.patience(old), left(until)))) {
                        continue;
                    }
                }
                next = next == null ? houseKeeper.opener().open() : next;
                awaitFirst(ping, next, until);
                if (next.isDone()) {
                    PhysicalConnection opened = opened(next);
                    next = null;
                    if (opened != null && replace(old, ping, opened, to)) {
                        if (old != null) {
                            houseKeeper.replaced(old, ping, true);
                        }
                        return opened;
                    }
                }
            }
        } finally {
            borrowing = false;
            if (next != null) {
                ConnectionOpener.abandon(next);
            }
        }
    }

    private void awaitFirst(@Nullable Ping ping, CompletableFuture<PhysicalConnection> next, long until)
            throws SQLException, InterruptedException {
        boolean answers = ping != null && !ping.isDone();
        CompletableFuture<?> first = answers ? CompletableFuture.anyOf(ping, next) : next;
        try {
            Object _ = first.get(left(until), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new SQLTransientConnectionException(
                    "no live connection to " + houseKeeper + " in time: "
                            + houseKeeper.opener().lastFailure(),
                    "08001",
                    houseKeeper.opener().lastCause());
        } catch (ExecutionException failed) {
            // The opening failed: see opened().
        }
    }

    private long left(long until) {
        return Math.max(0, until - houseKeeper.now());
    }

    /** The result of an opening; null after a failure that another attempt may not meet. */
    private @Nullable PhysicalConnection opened(CompletableFuture<PhysicalConnection> done)
            throws SQLException, InterruptedException {
        try {
            return done.get();
        } catch (ExecutionException failed) {
            Throwable why = failed.getCause();
            if (ConnectionOpener.isCurable(why)) {
                return null;
            }
            throw houseKeeper.opener().failure(why);
        }
    }

    /**
     * Puts a new connection in the place of one that is dead or late.
     *
     * @param ping the unanswered validation of the old one; null if it is dead
     * @param to gets the connection; null for nobody
     * @return false when the old one answered meanwhile, or was replaced by someone else
     */
    boolean replace(
            @Nullable PhysicalConnection old,
            @Nullable Ping ping,
            PhysicalConnection opened,
            @Nullable LeasedConnection to) {
        boolean lent = to == null || opened.lend(to);
        if (lent && (ping == null || ping.retire()) && current.compareAndSet(old, opened) && !closed) {
            return true;
        }
        opened.close();
        return false;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a connection equals only itself
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        PhysicalConnection physical = current.get();
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(this);
            case "toString" -> houseKeeper + ", " + physical;
            case "isClosed" -> closed;
            case "close", "abort" -> {
                close();
                yield null;
            }
            case "unwrap" -> {
                if (arguments != null && arguments[0] == PooledConnection.class) {
                    yield this;
                }
                yield physical == null ? unused(null, method) : forwarded(physical.connection, method, arguments);
            }
            default ->
                physical != null && physical.isLeased()
                        ? forwarded(physical.connection, method, initial(physical.connection, method, arguments))
                        : unused(physical, method);
        };
    }

    /** Replaces HikariCP's initial values by the real ones. */
    private @Nullable Object @Nullable [] initial(
            Connection connection, Method method, @Nullable Object @Nullable [] arguments) throws SQLException {
        if (arguments != null && method.getName().equals("setTransactionIsolation")) {
            isolation = isolation == UNKNOWN ? connection.getTransactionIsolation() : isolation;
            return arguments[0] instanceof Integer level && level == INITIAL_ISOLATION
                    ? new Object[] {isolation}
                    : arguments;
        }
        if (arguments != null && method.getName().equals("setNetworkTimeout")) {
            networkTimeout = networkTimeout == UNKNOWN ? connection.getNetworkTimeout() : networkTimeout;
            return arguments[1] instanceof Integer time && time == INITIAL_TIMEOUT
                    ? new @Nullable Object[] {arguments[0], networkTimeout}
                    : arguments;
        }
        return arguments;
    }

    /** HikariCP's set-up of a new connection, or its calls after an abort. */
    private @Nullable Object unused(@Nullable PhysicalConnection physical, Method method) throws SQLException {
        return switch (method.getName()) {
            case "isValid" -> !closed;
            case "isReadOnly" -> config.isReadOnly();
            case "getAutoCommit" -> config.isAutoCommit();
            case "getTransactionIsolation" -> INITIAL_ISOLATION;
            case "getNetworkTimeout" -> INITIAL_TIMEOUT;
            case "setNetworkTimeout", "clearWarnings" -> null;
            case "setReadOnly", "setAutoCommit", "setTransactionIsolation", "setCatalog", "setSchema" -> null;
            default -> throw new SQLException("the connection is closed: " + physical, "08003");
        };
    }

    static @Nullable Object forwarded(Connection to, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(to, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void close() {
        closed = true;
        houseKeeper.forget(this);
        PhysicalConnection last = current.get();
        if (last != null) {
            last.close();
        }
    }
}
