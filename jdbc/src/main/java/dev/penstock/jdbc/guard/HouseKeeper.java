package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;
import dev.penstock.StateFile;
import dev.penstock.Ticker;
import dev.penstock.jdbc.guard.PhysicalConnection.Ping;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the idle connections alive on a virtual thread, replaces dead and old ones, and learns the idle timeout of the
 * path. Also knows what all connections of a data source share. Thread-safe.
 */
final class HouseKeeper {
    /** The longest time between two rounds, in nanoseconds. */
    static final long ROUND = 1_000_000_000L;

    private static final long MIN_ROUND = 10_000_000L;

    /** A connection that a caller has used so recently is not validated, in nanoseconds. */
    private static final long TRUSTED = 500_000_000L;

    /** Not even its socket is checked, in nanoseconds. */
    private static final long FRESH = 10_000_000L;

    /** After this time without an answer a connection counts as dead, in nanoseconds. */
    static final long LATE = 1_000_000_000L;

    private static final long LONG_AGO = 600_000_000_000L;

    private static final Logger LOG = LoggerFactory.getLogger(GuardedDataSource.class);

    private final String name;
    private final ConnectionOpener connectionOpener;
    private final ValidationTimeout validationTimeout;
    private final IdleTimeoutEstimator idleTimeout;
    private final IdleTimeoutTrial trial;
    private final StateFile state;
    private final String stateName;
    private final @Nullable String testQuery;
    private final long maxAge;
    private final LongConsumer eachRound;
    private final Ticker ticker;
    private final Part part;
    private final SocketProbe socketProbe = new SocketProbe();
    private final Set<PooledConnection> shells = ConcurrentHashMap.newKeySet();
    private final LongAdder validations = new LongAdder();
    private final LongAdder metByCallers = new LongAdder();
    private final LongAdder foundIdle = new LongAdder();
    private volatile long suspectedAt;

    /**
     * When the connections that did not answer in time had answered last, the latest of them: callers do not wait for a connection
     * that has not answered since.
     */
    private final AtomicLong lateAnswer;

    private volatile @Nullable Thread thread;
    private volatile boolean stopped;
    private volatile boolean woken;

    /** @param eachRound called with the time in each round */
    HouseKeeper(
            GuardedDataSourceBuilder builder,
            ConnectionOpener connectionOpener,
            ValidationTimeout validationTimeout,
            LongConsumer eachRound) {
        this.name = builder.name();
        this.connectionOpener = connectionOpener;
        this.validationTimeout = validationTimeout;
        this.eachRound = eachRound;
        this.state = builder.state;
        this.stateName = StateFile.name("jdbc.idle:" + name);
        this.idleTimeout = builder.idleKill == null
                ? IdleTimeoutEstimator.parse(state.value(stateName))
                : IdleTimeoutEstimator.pinned(builder.idleKill.toNanos());
        this.testQuery = builder.config.getConnectionTestQuery();
        this.maxAge = builder.maxAge.toNanos();
        this.ticker = builder.ticker;
        this.suspectedAt = now() - LONG_AGO;
        this.lateAnswer = new AtomicLong(suspectedAt);
        this.trial = new IdleTimeoutTrial(this, connectionOpener, idleTimeout);
        this.part = Supervisor.current().part("jdbc-house-keeper", name);
    }

    void start() {
        thread = part.start(Thread.ofVirtual().name("penstock-jdbc-housekeeper"), this::run);
    }

    void stop() {
        stopped = true;
        part.close();
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
        socketProbe.close();
        trial.stop();
    }

    long now() {
        return ticker.nanos();
    }

    ConnectionOpener opener() {
        return connectionOpener;
    }

    IdleTimeoutEstimator idleTimeout() {
        return idleTimeout;
    }

    void learn(Consumer<IdleTimeoutEstimator> how) {
        synchronized (idleTimeout) {
            String before = idleTimeout.serialized();
            how.accept(idleTimeout);
            if (!idleTimeout.serialized().equals(before)) {
                state.keep(stateName, idleTimeout.serialized());
                LOG.info("{}: {}", name, idleTimeout.reason());
            }
        }
    }

    /**
     * Whether a caller may use its connection without a further validation.
     *
     * @param since the time of its request
     */
    boolean isTrusted(PhysicalConnection leased, long since) {
        if (leased.answeredAt() - since >= 0) {
            return true;
        }
        long now = now();
        if (now - leased.usedAt() >= TRUSTED || leased.answeredAt() - suspectedAt < 0) {
            return false;
        }
        if (now - leased.usedAt() < FRESH || now - leased.checkedAt < FRESH) {
            return true;
        }
        leased.checkedAt = now;
        return isQuiet(leased);
    }

    private boolean isQuiet(PhysicalConnection used) {
        return used.socket == null || socketProbe.isQuiet(used.socket);
    }

    /** How long a caller waits for an answer before a new connection is opened too, in nanoseconds. */
    long patience(PhysicalConnection late) {
        return late.answeredAt() - lateAnswer.get() <= 0 ? 0 : validationTimeout.nanos();
    }

    /** The validation in progress, or a new one; null when the connection is dead or leased. */
    @Nullable
    Ping ping(PhysicalConnection physical) {
        return physical.ping(now(), this::exchange);
    }

    private void exchange(Ping ping) {
        validations.increment();
        long start = now();
        boolean answers = false;
        try {
            answers = answers(ping.physical().connection);
        } catch (SQLException | RuntimeException | LinkageError e) {
            // Dead.
        } finally {
            long end = now();
            if (answers) {
                validationTimeout.answered(end - start);
                learn(known -> known.alive(ping.idle));
                ping.answered(end);
            } else if (ping.failed()) {
                learn(known -> known.died(ping.idle));
                suspect();
            }
        }
    }

    /** No timeout: who waits for the answer stops waiting, and an answer after a stall still counts. */
    private boolean answers(Connection connection) throws SQLException {
        if (testQuery == null) {
            if (!connection.isValid(0)) {
                return false;
            }
        } else {
            try (Statement statement = connection.createStatement()) {
                statement.execute(testQuery);
            }
        }
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        return true;
    }

    /** Any connection may be dead: none is trusted, and all are validated now. */
    void suspect() {
        suspectedAt = now();
        woken = true;
        LockSupport.unpark(thread);
    }

    /**
     * A connection was replaced.
     *
     * @param ping its validation, if it is late; null if it is known to be dead
     * @param met whether a caller met it
     */
    void replaced(PhysicalConnection old, @Nullable Ping ping, boolean met) {
        (met ? metByCallers : foundIdle).increment();
        if (ping == null) {
            return;
        }
        lateAnswer.accumulateAndGet(old.answeredAt(), (one, other) -> one - other > 0 ? one : other);
        suspect();
        Thread.ofVirtual().name("penstock-jdbc-late").start(() -> {
            if (!ping.isAnswered(LATE)) {
                learn(known -> known.died(ping.idle));
            }
            old.abort();
        });
    }

    private void run() throws InterruptedException {
        while (!stopped) {
            woken = false;
            eachRound.accept(now());
            round();
            long due = nextDue();
            while (!stopped && !woken && now() - due < 0) {
                ticker.parkUntil(due);
            }
        }
    }

    private long nextDue() {
        long now = now();
        long keepAliveAt = idleTimeout.keepAliveAt();
        long wait = ROUND;
        for (PooledConnection shell : shells) {
            PhysicalConnection idle = shell.physical();
            if (idle != null && idle.isIdle()) {
                wait = Math.min(wait, idle.answeredAt() + keepAliveAt - now);
            }
        }
        return now + Math.max(wait, MIN_ROUND);
    }

    /** Does everything that is due, concurrently, and waits for it for a while. */
    private void round() throws InterruptedException {
        List<Thread> tasks = new ArrayList<>();
        boolean mayOpen = true;
        for (PooledConnection shell : shells) {
            PhysicalConnection old = shell.physical();
            boolean opens = mayOpen;
            if (!shell.isBorrowing() && (old == null || !old.isLeased())) {
                tasks.add(start(() -> check(shell, opens)));
                mayOpen = !connectionOpener.isFailing();
            }
        }
        if (trial.begin()) {
            tasks.add(start(trial::run));
        }
        long until = now() + LATE;
        for (Thread task : tasks) {
            boolean _ = task.join(Duration.ofNanos(Math.max(1, until - now())));
        }
    }

    private Thread start(Runnable task) {
        return Thread.ofVirtual().name("penstock-jdbc-care").start(part.periodic(task));
    }

    /** Validates the connection of a shell if that is due, and replaces a dead, late, missing or old one. */
    private void check(PooledConnection shell, boolean mayOpen) {
        PhysicalConnection old = shell.physical();
        Ping ping = null;
        if (old != null && !old.isDead()) {
            long now = now();
            boolean due = now - old.answeredAt() >= idleTimeout.keepAliveAt() || old.answeredAt() - suspectedAt < 0;
            ping = old.ping(now, due ? this::exchange : this::exchangeUnlessQuiet);
            boolean leased = ping == null && !old.isDead();
            if (leased || (ping != null && ping.isAnswered(backgroundTimeout()))) {
                if (!leased && mayOpen && now - old.openedAt >= maxAge) {
                    renew(shell, old);
                }
                return;
            }
        }
        PhysicalConnection opened = mayOpen && !shell.isBorrowing() ? connectionOpener.openAndWait() : null;
        if (opened != null && shell.replace(old, ping, opened, null) && old != null) {
            replaced(old, ping, false);
        }
    }

    private void exchangeUnlessQuiet(Ping ping) {
        if (isQuiet(ping.physical())) {
            ping.withdrawn();
        } else {
            exchange(ping);
        }
    }

    private long backgroundTimeout() {
        return Math.min(LATE, 10 * validationTimeout.nanos());
    }

    private void renew(PooledConnection shell, PhysicalConnection old) {
        PhysicalConnection opened = connectionOpener.openAndWait();
        if (opened != null && !(old.closeIfIdle() && shell.replace(old, null, opened, null))) {
            opened.close();
        }
    }

    /** Whether some connection was open for as long as another, and is alive. */
    boolean hasWitness(PhysicalConnection other) {
        return shells.stream().anyMatch(shell -> isWitness(shell.physical(), other));
    }

    private boolean isWitness(@Nullable PhysicalConnection one, PhysicalConnection other) {
        if (one == null || one.openedAt - other.openedAt > 0) {
            return false;
        }
        Ping ping = ping(one);
        return ping != null && ping.isAnswered(LATE);
    }

    /** A shell without a connection. */
    PooledConnection newShell(HikariConfig config) {
        PooledConnection shell = new PooledConnection(this, config);
        shells.add(shell);
        return shell;
    }

    void forget(PooledConnection shell) {
        shells.remove(shell);
    }

    /** The counters, for a pool with that many connections in use and callers waiting. */
    GuardReport report(int leased, int waiting) {
        long idle = shells.stream()
                .map(PooledConnection::physical)
                .filter(one -> one != null && !one.isDead() && !one.isLeased())
                .count();
        return new GuardReport(
                leased,
                (int) idle,
                waiting,
                connectionOpener.opened(),
                validations.sum(),
                metByCallers.sum(),
                foundIdle.sum(),
                connectionOpener.lastFailure());
    }

    @Override
    public String toString() {
        return name;
    }
}
