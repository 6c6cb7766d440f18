package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import dev.penstock.jdbc.guard.PhysicalConnection.Health;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all connections of a data source share: opening, validation, learned timeouts and counters. Thread-safe. */
final class PoolContext {
    /** A connection used this recently is handed out without a check, in nanoseconds. */
    private static final long FRESH = 10_000_000L;

    /** The backoff after failures to open a connection in the background, first and maximum, in nanoseconds. */
    private static final long MIN_BACKOFF = 100_000_000L;

    private static final long MAX_BACKOFF = 5_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(GuardedDataSource.class);

    private final String name;
    private final ConnectionOpener connectionOpener;
    private final Validations validations;
    private final SocketProbe socketProbe;
    private final LearnedIdleTimeout learned;
    private final Demand demand;
    private final Ticker ticker;
    private final LeakDetector leaks;
    private final Set<PooledConnection> slots = ConcurrentHashMap.newKeySet();
    private final LongAdder metByCallers = new LongAdder();
    private final LongAdder foundIdle = new LongAdder();
    private volatile Runnable alarm = () -> {};
    private final RecentDurations connects = new RecentDurations();
    private volatile String lastFailure = "";
    private final AtomicInteger failures = new AtomicInteger();
    private volatile long retryAt;

    PoolContext(
            String name,
            ConnectionOpener connectionOpener,
            Validations validations,
            SocketProbe socketProbe,
            LearnedIdleTimeout learned,
            Demand demand,
            Ticker ticker,
            @Nullable Duration leakAfter) {
        this.name = name;
        this.connectionOpener = connectionOpener;
        this.validations = validations;
        this.socketProbe = socketProbe;
        this.learned = learned;
        this.demand = demand;
        this.ticker = ticker;
        this.leaks = new LeakDetector(leakAfter, (line, borrower) -> LOG.warn("{}: {}", name, line, borrower));
    }

    long now() {
        return ticker.nanos();
    }

    LeakDetector leaks() {
        return leaks;
    }

    /** Sets the action to run when a connection was found dead. */
    void onDeath(Runnable wake) {
        alarm = wake;
    }

    /** A new pool entry with an open connection. */
    PooledConnection newSlot() throws SQLException {
        PooledConnection slot = new PooledConnection(this, open(Long.MAX_VALUE));
        slots.add(slot);
        return slot;
    }

    /**
     * Opens a connection.
     *
     * @param wait the maximum time, in nanoseconds; the connect timeout applies as well
     * @throws SQLException when it could not be opened in time
     */
    PhysicalConnection open(long wait) throws SQLException {
        long start = now();
        try {
            PhysicalConnection opened = connectionOpener.open(wait);
            long took = opened.openedAt() - start;
            connects.add(took);
            learned.connected(took);
            if (failures.getAndSet(0) > 0) {
                LOG.info("{}: the database is reachable again", name);
            }
            return opened;
        } catch (SQLException e) {
            if (!(e.getCause() instanceof InterruptedException)) { // else the pool closes: not the database's failure
                openFailed(e);
            }
            throw e;
        }
    }

    private void openFailed(SQLException why) {
        lastFailure = String.valueOf(why.getMessage());
        retryAt = now() + Math.min(MAX_BACKOFF, MIN_BACKOFF << Math.min(10, failures.get()));
        if (failures.getAndIncrement() == 0) {
            LOG.warn("{}: cannot open a connection, retrying: {}", name, lastFailure);
        }
    }

    /** Whether opening connections in the background is paused after failures. */
    boolean isBackingOff() {
        return failures.get() > 0 && now() - retryAt < 0;
    }

    /**
     * Checks a connection before a caller gets it.
     *
     * @param idle the time since the last round trip, in nanoseconds
     */
    Health health(PhysicalConnection physical, long idle) {
        if (idle < FRESH) {
            return Health.ALIVE;
        }
        boolean watched = physical.socket() != null;
        if (!isQuiet(physical)) {
            return isAnswered(physical, idle, validationTimeout()) ? Health.ALIVE : Health.CLOSED;
        }
        long trusted = watched ? learned.trusted() : Math.min(learned.trusted(), IdleTimeoutEstimator.INITIAL_TRUSTED);
        return idle <= trusted || isAnswered(physical, idle, validationTimeout()) ? Health.ALIVE : Health.SILENT;
    }

    /** The timeout of a validation while a caller waits for it, in nanoseconds. */
    long validationTimeout() {
        return learned.withValidationTimeout(ValidationTimeout::nanos);
    }

    /** Whether the peer has sent nothing, neither data nor a close, as far as visible without a round trip. */
    boolean isQuiet(PhysicalConnection physical) {
        return physical.socket() == null || socketProbe.isQuiet(physical.socket());
    }

    /** Validates a connection by a round trip. */
    boolean isAnswered(PhysicalConnection physical, long idle, long bound) {
        long took = validations.roundTrip(physical, bound, late -> {
            learned.answered(late);
            learned.alive(idle);
        });
        if (took < 0) {
            return false;
        }
        learned.answered(took);
        learned.alive(idle);
        return true;
    }

    void alive(long idle) {
        learned.alive(idle);
    }

    /** A caller got a dead connection, and another could be opened. */
    void foundDead(Health how, long idle) {
        metByCallers.increment();
        if (how == Health.CLOSED) {
            learned.closed(idle, now());
        } else {
            learned.died(idle, now());
        }
        alarm.run();
    }

    /** The housekeeper found a dead connection, and another could be opened. */
    void foundDeadIdle(long idle) {
        foundIdle.increment();
        learned.died(idle, now());
    }

    /** The peer closed an idle connection. */
    void foundClosedIdle(long idle) {
        foundIdle.increment();
        learned.closed(idle, now());
    }

    /** HikariCP removed an entry. */
    void forget(PooledConnection slot, boolean inUse) {
        slots.remove(slot);
        if (inUse) {
            alarm.run();
        }
    }

    void released(long since) {
        demand.released(now() - since);
    }

    void close() {
        socketProbe.close();
    }

    Set<PooledConnection> slots() {
        return slots;
    }

    LearnedIdleTimeout learned() {
        return learned;
    }

    /** The shortest recent time to open a connection, in nanoseconds. */
    long connectTime() {
        return connects.min();
    }

    GuardReport report() {
        int open = 0;
        int leased = 0;
        for (PooledConnection slot : slots) {
            open += slot.isOpen() ? 1 : 0;
            leased += slot.isLent() ? 1 : 0;
        }
        return new GuardReport(
                leased,
                Math.max(0, open - leased),
                demand.waiting(leased),
                connectionOpener.opened(),
                validations.made(),
                metByCallers.sum(),
                foundIdle.sum(),
                lastFailure);
    }

    @Override
    public String toString() {
        return name;
    }

    /** The last {@value #KEPT} durations. Thread-safe. */
    private static final class RecentDurations {
        private static final int KEPT = 8;

        private final AtomicLongArray times = new AtomicLongArray(KEPT);
        private final AtomicInteger added = new AtomicInteger();

        void add(long nanos) {
            times.set(Math.floorMod(added.getAndIncrement(), KEPT), Math.max(1, nanos));
        }

        /** The shortest of them; 0 when there is none. */
        long min() {
            long min = Long.MAX_VALUE;
            for (int i = 0; i < KEPT; i++) {
                long time = times.get(i);
                min = time > 0 ? Math.min(min, time) : min;
            }
            return min == Long.MAX_VALUE ? 0 : min;
        }
    }
}
