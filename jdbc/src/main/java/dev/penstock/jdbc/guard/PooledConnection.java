package dev.penstock.jdbc.guard;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection as HikariCP has it: a place whose driver's connection may be looked at, closed and replaced while nobody uses
 * it.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP knows one question to a connection, {@link #isValid}, and asks it of what nobody has used for half a second,
 * on the thread of a caller. Here it costs nothing: it tells whether the place was {@linkplain #retire retired}, and then
 * HikariCP drops it. The look itself, if one is due, follows in {@link #lend}, in milliseconds; and when the connection
 * turns out dead, another is put in its place, on the thread of that caller. So each caller pays at most one look and one
 * connect, side by side with the others, whereas HikariCP opens connections one after another.
 *
 * <p>What HikariCP set up on the first connection (auto-commit, isolation and so on) is set up on the next ones too.
 *
 * <p>The lock is held while the connection is looked at or replaced: by a caller who is about to use it, or by the caretaker
 * while nobody does. All who change the state hold it.
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

    /** HikariCP tidies up what a caller gave back: before that time nobody else touches it, nanoseconds. */
    private static final long SETTLED = 200_000_000L;

    private final PoolContext guard;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, SetUp> setUp = new ConcurrentHashMap<>();
    private volatile PhysicalConnection physical;
    private volatile State state = State.IDLE;
    private volatile boolean wasLent;
    private volatile long quietSince;
    private volatile long usedAt;
    private long lentAge;

    PooledConnection(PoolContext guard, PhysicalConnection physical) {
        this.guard = guard;
        this.physical = physical;
        this.quietSince = physical.openedAt();
        this.usedAt = physical.openedAt();
    }

    @Override
    Connection to() {
        return physical.connection();
    }

    /** What it is like now, for the caretaker; null while somebody uses it, or when it is gone. */
    HousekeepingPlan.@Nullable Idle<PooledConnection> idle(long now) {
        if (wasLent && now - usedAt < SETTLED) {
            return null;
        }
        return switch (state) {
            case IDLE -> new HousekeepingPlan.Idle<>(this, now - quietSince, now - usedAt, now - physical.openedAt(), true);
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
     * Makes it ready for a caller.
     *
     * @param wait how long to wait when the caretaker looks at it just now, nanoseconds
     * @return false when there is no live connection in it
     */
    boolean lend(long wait) throws InterruptedException {
        // The caretaker's look may take longer than a caller's: who meets it takes another connection.
        if (!lock.tryLock() && !lock.tryLock(Math.min(wait, guard.validationTimeout()), TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            if (state == State.RETIRED || state == State.CLOSED) {
                return false;
            }
            long age = guard.now() - quietSince;
            Health health = guard.health(physical, age);
            if (health != Health.ALIVE) {
                if (!replace(true, wait)) {
                    return false;
                }
                guard.foundDead(health, age);
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
     * Its caller is done with it, and HikariCP is about to be told.
     *
     * @param used whether anything went over it
     */
    void giveBack(boolean used) {
        lock.lock();
        try {
            if (state != State.LENT) {
                return;
            }
            usedAt = guard.now();
            if (used) {
                quietSince = usedAt;
                guard.alive(lentAge);
            }
            state = State.IDLE;
        } finally {
            lock.unlock();
        }
    }

    /** Does something with the connection unless somebody uses it, now or meanwhile; whether it did. */
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

    /** Something went over it just now. Under {@link #whileIdle}. */
    void answered() {
        quietSince = guard.now();
    }

    PhysicalConnection physical() {
        return physical;
    }

    /** Closes the connection for good; HikariCP drops the place when it comes by. Under {@link #whileIdle}. */
    void retire() {
        state = State.RETIRED;
        close(physical);
    }

    /**
     * Puts another connection in the place of this one. Under the lock.
     *
     * @param abort whether the old one is dead
     * @param wait how long the opening may take at most, nanoseconds
     * @return false when none could be opened; the place is retired then
     */
    boolean replace(boolean abort, long wait) {
        PhysicalConnection old = physical;
        boolean wasOpen = state != State.RETIRED;
        try {
            PhysicalConnection next = guard.open(wait);
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
            case LENT -> to().isValid(seconds);
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
        guard.forget(this, before == State.LENT);
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
        return !isOpen() || to().isClosed();
    }

    /** HikariCP's bound on its own question stays out of the driver: the question is answered here. */
    @Override
    public void setNetworkTimeout(Executor executor, int millis) throws SQLException {
        if (state == State.LENT || (state == State.IDLE && !wasLent)) {
            to().setNetworkTimeout(executor, millis);
        }
    }

    /** HikariCP rolls back what a caller left open after we were told that he is done. */
    @Override
    public void rollback() throws SQLException {
        locked(to(), Connection::rollback);
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
        locked(to(), how);
        if (!wasLent) {
            setUp.put(what, how);
        }
    }

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        setUp("auto-commit", connection -> connection.setAutoCommit(on));
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
     * HikariCP asks its first connection for the default. When that breaks (SQLState 08), HikariCP goes on without a default, and every
     * later connection is refused since it cannot be given that. By any other state HikariCP asks the next one.
     */
    @Override
    public int getTransactionIsolation() throws SQLException {
        try {
            return super.getTransactionIsolation();
        } catch (SQLException e) {
            if (isLent()) {
                throw e;
            }
            throw new SQLException("the default isolation is not known: " + e.getMessage(), "HY000", e);
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
        return guard + ", " + state;
    }
}
