package dev.penstock.jdbc.guard;

import dev.penstock.jdbc.guard.PhysicalConnection.Health;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection that HikariCP manages: an entry whose physical connection can be validated, closed and replaced while
 * it is idle.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP's only check of a connection is {@link #isValid}, called on the thread of a caller for connections unused
 * for half a second. Here it costs nothing: it returns whether the entry was {@linkplain #retire retired}, in which
 * case HikariCP removes it. The validation itself, if one is due, follows in {@link #borrow}, with a timeout of
 * milliseconds; a dead connection is replaced on the thread of that caller. So each caller pays for at most one
 * validation and one connect, concurrently with other callers, whereas HikariCP opens connections one after another.
 *
 * <p>The session state that HikariCP set on the first physical connection (autocommit, isolation and so on) is set on
 * later ones too.
 *
 * <p>The lock is held while the connection is validated or replaced, by a caller that is about to use it, or by the
 * housekeeper while it is idle. All state changes hold it.
 */
final class PooledConnection extends ForwardingConnection {
    private enum State {
        IDLE,
        LENT,
        RETIRED,
        CLOSED
    }

    @FunctionalInterface
    private interface SetUp {
        void on(Connection connection) throws SQLException;
    }

    /** HikariCP resets a connection after it was given back: nothing else touches it for this time, in nanoseconds. */
    private static final long SETTLED = 200_000_000L;

    private final PoolContext context;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, SetUp> setUp = new ConcurrentHashMap<>();
    private volatile PhysicalConnection physical;
    private volatile State state = State.IDLE;
    private volatile boolean wasLent;
    private volatile long quietSince;
    private volatile long usedAt;
    private long lentAge;

    PooledConnection(PoolContext context, PhysicalConnection physical) {
        this.context = context;
        this.physical = physical;
        this.quietSince = physical.openedAt();
        this.usedAt = physical.openedAt();
    }

    @Override
    Connection delegate() {
        return physical.connection();
    }

    /** The state for the housekeeper; null while the connection is in use, or when it is closed. */
    HousekeepingPlan.@Nullable Idle<PooledConnection> idle(long now) {
        if (wasLent && now - usedAt < SETTLED) {
            return null;
        }
        return switch (state) {
            case IDLE ->
                new HousekeepingPlan.Idle<>(this, now - quietSince, now - usedAt, now - physical.openedAt(), true);
            case RETIRED -> new HousekeepingPlan.Idle<>(this, now - quietSince, now - usedAt, 0, false);
            case LENT, CLOSED -> null;
        };
    }

    boolean isOpen() {
        return state == State.IDLE || state == State.LENT;
    }

    boolean isLent() {
        return state == State.LENT;
    }

    /**
     * Prepares the connection for a caller.
     *
     * @param wait the maximum wait for a validation by the housekeeper that is in progress, in nanoseconds
     * @return false when there is no live connection
     */
    boolean borrow(long wait) throws InterruptedException {
        // The housekeeper's validation may take longer than a caller's, so the caller takes another connection.
        if (!lock.tryLock() && !lock.tryLock(Math.min(wait, context.validationTimeout()), TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            if (state == State.RETIRED || state == State.CLOSED) {
                return false;
            }
            long age = context.now() - quietSince;
            Health health = context.health(physical, age);
            if (health != Health.ALIVE) {
                if (!replace(true, wait)) {
                    return false;
                }
                context.foundDead(health, age);
                age = 0;
            }
            lentAge = age;
            wasLent = true;
            state = State.LENT;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The caller is done with the connection; HikariCP is notified next.
     *
     * @param used whether a statement was executed on it
     */
    void release(boolean used) {
        lock.lock();
        try {
            if (state != State.LENT) {
                return;
            }
            usedAt = context.now();
            if (used) {
                quietSince = usedAt;
                context.alive(lentAge);
            }
            state = State.IDLE;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Runs an action unless the connection is in use; returns whether it ran. The connection cannot be borrowed
     * meanwhile.
     */
    boolean whileIdle(Runnable care) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (state != State.IDLE && state != State.RETIRED) {
                return false;
            }
            care.run();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A round trip has just succeeded. Under {@link #whileIdle}. */
    void answered() {
        quietSince = context.now();
    }

    PhysicalConnection physical() {
        return physical;
    }

    /** Closes the connection for good; HikariCP removes the entry at its next check. Under {@link #whileIdle}. */
    void retire() {
        state = State.RETIRED;
        close(physical);
    }

    /**
     * Replaces the physical connection. Under the lock.
     *
     * @param abort whether the old one is dead
     * @param wait the time limit for opening the new one, in nanoseconds
     * @return false when none could be opened; the entry is retired then
     */
    boolean replace(boolean abort, long wait) {
        PhysicalConnection old = physical;
        boolean wasOpen = state != State.RETIRED;
        try {
            PhysicalConnection next = context.open(wait);
            try {
                for (SetUp one : setUp.values()) {
                    one.on(next.connection());
                }
            } catch (Throwable e) {
                next.abort();
                throw e;
            }
            physical = next;
            quietSince = next.openedAt();
            state = State.IDLE;
        } catch (SQLException | RuntimeException | Error e) {
            state = State.RETIRED;
        }
        if (wasOpen) {
            if (abort) {
                old.abort();
            } else {
                close(old);
            }
        }
        return state == State.IDLE;
    }

    private static void close(PhysicalConnection physical) {
        try {
            physical.connection().close();
        } catch (SQLException | RuntimeException e) {
            physical.abort();
        }
    }

    @Override
    public boolean isValid(int seconds) throws SQLException {
        return switch (state) {
            case IDLE -> true;
            case LENT -> delegate().isValid(seconds);
            case RETIRED, CLOSED -> false;
        };
    }

    @Override
    public void close() throws SQLException {
        end(false);
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        end(true);
    }

    private void end(boolean abort) {
        State before = closed();
        context.forget(this, before == State.LENT);
        if (before == State.RETIRED || before == State.CLOSED) {
            return;
        }
        if (abort || before == State.LENT) {
            physical.abort();
        } else {
            close(physical);
        }
    }

    private State closed() {
        lock.lock();
        try {
            State before = state;
            state = State.CLOSED;
            return before;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isClosed() throws SQLException {
        return !isOpen() || delegate().isClosed();
    }

    /** HikariCP's timeout for its validation is not passed to the driver, since {@link #isValid} does no I/O. */
    @Override
    public void setNetworkTimeout(Executor executor, int millis) throws SQLException {
        if (state == State.LENT || (state == State.IDLE && !wasLent)) {
            delegate().setNetworkTimeout(executor, millis);
        }
    }

    /** HikariCP rolls back an open transaction after {@link #release}. */
    @Override
    public void rollback() throws SQLException {
        locked(delegate(), Connection::rollback);
    }

    private void locked(Connection connection, SetUp how) throws SQLException {
        lock.lock();
        try {
            how.on(connection);
        } finally {
            lock.unlock();
        }
    }

    private void setUp(String what, SetUp how) throws SQLException {
        locked(delegate(), how);
        if (!wasLent) {
            setUp.put(what, how);
        }
    }

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        setUp("autocommit", connection -> connection.setAutoCommit(on));
    }

    @Override
    public void setReadOnly(boolean on) throws SQLException {
        setUp("read-only", connection -> connection.setReadOnly(on));
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        setUp("isolation", connection -> connection.setTransactionIsolation(level));
    }

    /**
     * HikariCP reads the default isolation from its first connection. If that fails with SQLState 08, HikariCP
     * continues without a default, and rejects every later connection because it cannot set it. With any other SQLState
     * it asks the next connection.
     */
    @Override
    public int getTransactionIsolation() throws SQLException {
        try {
            return super.getTransactionIsolation();
        } catch (SQLException e) {
            if (isLent()) {
                throw e;
            }
            throw new SQLException("cannot read the default transaction isolation: " + e.getMessage(), "HY000", e);
        }
    }

    @Override
    public void setCatalog(String name) throws SQLException {
        setUp("catalog", connection -> connection.setCatalog(name));
    }

    @Override
    public void setSchema(String name) throws SQLException {
        setUp("schema", connection -> connection.setSchema(name));
    }

    @Override
    public String toString() {
        return context + ", " + state;
    }
}
