package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Throttle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps connections idle for the times chosen by an {@link IdleSearch}, in parallel with other measurements. Each
 * connection is watched by its own virtual thread. Close it, or take its {@link #finding}.
 */
final class IdleWatch implements AutoCloseable {
    /** How often to check whether a connection is still to be idle. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    /** The maximum number of connections opened in parallel: opening many loads the target as calls do. */
    private static final int OPENINGS = 3;

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final IdlePort port;
    private final IdleSearch search;
    private final Duration timeout;
    private final Throttle throttle;
    private final Ticker ticker;
    private final long start;
    private final long budget;
    private final CountDownLatch opening;
    private final Semaphore openings = new Semaphore(OPENINGS);

    /** Checks share it; a measurement takes it alone. Fair, so that neither waits for more than one of the other. */
    private final ReentrantReadWriteLock measuring = new ReentrantReadWriteLock(true);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable String> error = new AtomicReference<>();
    private volatile Answered answered;
    private volatile boolean closing;

    private IdleWatch(
            IdlePort port, Duration budget, Duration timeout, int connections, Throttle throttle, Ticker ticker) {
        this.port = port;
        this.search = IdleSearch.within(budget.toNanos() / 1e9, timeout.toNanos() / 1e9, connections);
        this.timeout = timeout;
        this.throttle = throttle;
        this.ticker = ticker;
        this.start = ticker.nanos();
        this.answered = new Answered(start, Long.MAX_VALUE);
        this.budget = budget.toNanos();
        this.opening = new CountDownLatch(connections);
    }

    /**
     * Starts.
     *
     * @param port opens connections
     * @param budget available time
     * @param timeout maximum wait for an answer before a connection counts as silently dropped
     * @param connections number in parallel; 1 or more
     * @param throttle limits the rate of calls, together with other measurements
     * @param ticker the clock
     */
    static IdleWatch start(
            IdlePort port, Duration budget, Duration timeout, int connections, Throttle throttle, Ticker ticker) {
        IdleWatch watch = new IdleWatch(port, budget, timeout, connections, throttle, ticker);
        for (int i = 0; i < connections; i++) {
            watch.threads.add(Thread.ofVirtual().name("probe-idle").start(watch::run));
        }
        return watch;
    }

    private double now() {
        return (ticker.nanos() - start) / 1e9;
    }

    private void run() {
        try {
            testConnections();
        } catch (IOException e) {
            error.compareAndSet(null, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            error.compareAndSet(null, e.toString()); // drivers throw any exception, some without a message
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void testConnections() throws IOException, InterruptedException {
        IdleConnection connection = first();
        try {
            while (!closing) {
                if (connection == null && hasCapacity()) {
                    connection = opened();
                }
                if (connection == null) {
                    return;
                }
                Optional<IdleSearch.Trial> trial = begin();
                if (trial.isEmpty()) {
                    return;
                }
                if (!survives(connection, trial.get())) {
                    connection.close();
                    connection = null;
                }
            }
        } finally {
            if (connection != null) {
                connection.close();
            }
        }
    }

    private IdleConnection first() throws IOException, InterruptedException {
        try {
            return opened();
        } finally {
            opening.countDown();
        }
    }

    private IdleConnection opened() throws IOException, InterruptedException {
        throttle.await(ticker);
        openings.acquire();
        try {
            IdleConnection connection = timed();
            synchronized (search) {
                search.opened();
            }
            return connection;
        } finally {
            openings.release();
        }
    }

    private IdleConnection timed() throws IOException, InterruptedException {
        Lock shared = measuring.readLock();
        shared.lockInterruptibly();
        try {
            long began = ticker.nanos();
            IdleConnection connection = port.open();
            answered = new Answered(began, ticker.nanos() - began);
            return connection;
        } finally {
            shared.unlock();
        }
    }

    /**
     * Whether a new connection is answered well within the time that the tested one was not; otherwise the target
     * itself is slow. One connection opened meanwhile answers this for all waiting tests.
     */
    private boolean isAnsweredElsewhere(long since, Duration waited) throws InterruptedException {
        throttle.await(ticker);
        openings.acquire();
        try {
            if (!answered.isWithin(since, waited)) {
                timed().close();
            }
            return answered.isWithin(since, waited);
        } catch (IOException refused) {
            return false;
        } finally {
            openings.release();
        }
    }

    /**
     * A new connection that worked.
     *
     * @param began start, by the ticker
     * @param nanos nanoseconds to open and use it
     */
    private record Answered(long began, long nanos) {
        boolean isWithin(long since, Duration waited) {
            return began - since >= 0 && nanos < waited.toNanos() / 2;
        }
    }

    private boolean hasCapacity() {
        synchronized (search) {
            return search.hasCapacity(now());
        }
    }

    private Optional<IdleSearch.Trial> begin() {
        synchronized (search) {
            return search.begin(now());
        }
    }

    private boolean survives(IdleConnection connection, IdleSearch.Trial trial) throws InterruptedException {
        try {
            return staysAlive(connection, trial);
        } finally {
            synchronized (search) {
                search.abandoned(trial);
            }
        }
    }

    private boolean staysAlive(IdleConnection connection, IdleSearch.Trial trial) throws InterruptedException {
        while (isWanted(trial)) {
            double left = trial.began() + trial.age() - now();
            if (left <= 0) {
                break;
            }
            KillKind kind = connection.ended(shorter(CHECK_INTERVAL, Duration.ofNanos((long) (1e9 * left))));
            if (kind != null) {
                died(trial, kind, true);
                ticker.parkUntil(
                        ticker.nanos() + PAUSE.toNanos()); // limits reconnections to a peer that closes at once
                return false;
            }
        }
        if (closing || isSuperfluous(trial)) {
            return false;
        }
        throttle.await(ticker);
        Lock shared = measuring.readLock();
        shared.lockInterruptibly();
        long since = ticker.nanos();
        double used = now();
        KillKind kind;
        try {
            kind = connection.use(timeout);
        } finally {
            shared.unlock();
        }
        if (kind == KillKind.SILENT && !isAnsweredElsewhere(since, timeout)) {
            return false;
        }
        synchronized (search) {
            if (kind == null) {
                search.lived(trial, used);
            } else {
                search.died(trial, used, kind, false);
            }
        }
        return kind == null;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private boolean isWanted(IdleSearch.Trial trial) {
        synchronized (search) {
            return !closing && search.isWanted(trial, now());
        }
    }

    private boolean isSuperfluous(IdleSearch.Trial trial) {
        synchronized (search) {
            return search.isSuperfluous(trial, now());
        }
    }

    private void died(IdleSearch.Trial trial, KillKind kind, boolean notified) {
        synchronized (search) {
            search.died(trial, now(), kind, notified);
        }
    }

    /** Whether the search is precise enough, or its time is up. */
    boolean isOver() {
        synchronized (search) {
            return search.isOver(now());
        }
    }

    /**
     * Waits until the first connections are open or have failed, so that later calls wait less for the throttle.
     *
     * @param atMost maximum wait, by the system clock
     */
    void awaitOpened(Duration atMost) throws InterruptedException {
        opening.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Held by a measurement that the checks of idle connections would disturb: they wait for its end. */
    Lock measuring() {
        return measuring.writeLock();
    }

    /**
     * Waits until the search is precise enough or its time is up, and returns the result. Connections whose driver
     * still blocks then are abandoned.
     */
    IdleFinding finding() throws InterruptedException {
        long until = start + budget + 2 * timeout.toNanos();
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(0, until - ticker.nanos())))) {
                error.compareAndSet(null, "a connection attempt did not end in time");
                close();
            }
        }
        synchronized (search) {
            return search.finding();
        }
    }

    /** Why connections could not be opened; null when they could. */
    @Nullable
    String error() {
        return error.get();
    }

    @Override
    public void close() {
        closing = true;
        threads.forEach(Thread::interrupt);
    }
}
