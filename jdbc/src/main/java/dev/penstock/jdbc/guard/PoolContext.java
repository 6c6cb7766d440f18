package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the places of one data source have in common: how to open, look and learn, and the counts. Safe for many threads.
 */
final class PoolContext {
    /** A connection that was used so short a time ago is handed out unseen, nanoseconds. */
    private static final long FRESH = 10_000_000L;

    /** How long openings in the background rest after a first failure, and at most; nanoseconds. */
    private static final long SOONEST = 100_000_000L;

    private static final long SLOWEST = 5_000_000_000L;

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
    private volatile long tryAgainAt;

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

    /** Knows who has which connection. */
    LeakDetector leaks() {
        return leaks;
    }

    /** Tells whom to wake when a connection was found dead. */
    void onDeath(Runnable wake) {
        alarm = wake;
    }

    /** A new place, with its first connection. */
    PooledConnection slot() throws SQLException {
        PooledConnection slot = new PooledConnection(this, open(Long.MAX_VALUE));
        slots.add(slot);
        return slot;
    }

    /**
     * Opens a connection.
     *
     * @param wait how long it may take at most, nanoseconds, however long it may take at all
     */
    PhysicalConnection open(long wait) throws SQLException {
        long start = now();
        try {
            PhysicalConnection opened = connectionOpener.open(wait);
            long took = opened.openedAt() - start;
            connects.add(took);
            learned.connected(took);
            if (failures.getAndSet(0) > 0) {
                LOG.info("{}: connections can be opened again", name);
            }
            return opened;
        } catch (SQLException e) {
            couldNotOpen(e);
            throw e;
        }
    }

    private void couldNotOpen(SQLException why) {
        lastFailure = String.valueOf(why.getMessage());
        tryAgainAt = now() + Math.min(SLOWEST, SOONEST << Math.min(10, failures.get()));
        if (failures.getAndIncrement() == 0) {
            LOG.warn("{}: no connection can be opened, and it is tried again: {}", name, lastFailure);
        }
    }

    /** Whether openings in the background rest, as the last ones failed. */
    boolean restsFromFailures() {
        return failures.get() > 0 && now() - tryAgainAt < 0;
    }

    /** How a connection is, over which nothing went for a while, before a caller gets it. */
    Health health(PhysicalConnection physical, long idle) {
        if (idle < FRESH) {
            return Health.ALIVE;
        }
        boolean watched = physical.socket() != null;
        if (!isQuiet(physical)) {
            return isAnswered(physical, idle, validationTimeout()) ? Health.ALIVE : Health.CLOSED;
        }
        long trusted = watched ? learned.trusted() : Math.min(learned.trusted(), IdleTimeoutEstimator.TRUSTED_AT_FIRST);
        return idle <= trusted || isAnswered(physical, idle, validationTimeout()) ? Health.ALIVE : Health.SILENT;
    }

    /** How long a look may take while a caller waits for it, nanoseconds. */
    long validationTimeout() {
        return learned.withBound(ValidationTimeout::nanos);
    }

    /** Whether nothing was said, as far as that can be seen without asking. */
    boolean isQuiet(PhysicalConnection physical) {
        return physical.socket() == null || socketProbe.isQuiet(physical.socket());
    }

    /** Asks a connection whether it lives. */
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

    /** A caller met a dead connection, and another could be opened. */
    void foundDead(Health how, long idle) {
        metByCallers.increment();
        if (how == Health.CLOSED) {
            learned.closed(idle, now());
        } else {
            learned.died(idle, now());
        }
        alarm.run();
    }

    /** The caretaker found a dead connection, and another could be opened. */
    void foundDeadIdle(long idle) {
        foundIdle.increment();
        learned.died(idle, now());
    }

    /** The other end closed a connection that nobody used. */
    void closedAloud(long idle) {
        foundIdle.increment();
        learned.closed(idle, now());
    }

    /** HikariCP dropped a place. */
    void forget(PooledConnection slot, boolean inUse) {
        slots.remove(slot);
        if (inUse) {
            alarm.run();
        }
    }

    void givenBack(long since) {
        demand.left(now() - since);
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

    /** How long an opening takes when nothing is in its way, nanoseconds. */
    long connectTime() {
        return connects.least();
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
}
