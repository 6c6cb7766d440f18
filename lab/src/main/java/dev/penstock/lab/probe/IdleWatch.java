package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Throttle;
import dev.penstock.lab.probe.IdleConnection.KillKind;
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
 * Leaves connections idle for the times chosen by an {@link IdleSearch}, in parallel with other measurements, then uses
 * them, and reports to the search what became of them. Each connection has its own virtual thread. Close it, or take its
 * {@link #finding}.
 *
 * <p>None of its calls is in progress while a level of concurrency is measured, because a call more is an error at a peer
 * that refuses calls beyond some number.
 */
final class IdleWatch implements AutoCloseable {
    /** How often to check whether a connection is still to be idle. */
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(250);

    /** Limits reconnections to a peer that closes at once. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    /**
     * The maximum number of calls in parallel. Many are due when a level ends; all at once they would be a load of their
     * own, whose delays look like dropped connections. A check waits for an answer four times as long as the slowest of
     * the calls that were made one after another, so a target that works on one call at a time answers three in time.
     */
    private static final int MOST_CALLS = 3;

    private final IdleSearch search;
    private final IdleConnection.Port port;
    private final Throttle throttle;
    /** Fair: the connection that is due for the longest time is next. */
    private final Semaphore calls = new Semaphore(MOST_CALLS, true);

    /** Calls share it; a measurement takes it alone. Fair, so that neither waits for more than one of the other. */
    private final ReentrantReadWriteLock measuring = new ReentrantReadWriteLock(true);

    private final Duration timeout;
    private final Ticker ticker;
    private final long start;
    private final long until;
    private final CountDownLatch opening;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable String> error = new AtomicReference<>();
    private volatile boolean stopped;

    private IdleWatch(
            IdleConnection.Port port,
            Duration budget,
            Duration timeout,
            int connections,
            Throttle throttle,
            Ticker ticker) {
        this.search = IdleSearch.within(budget.toNanos() / 1e9, timeout.toNanos() / 1e9, connections);
        this.port = port;
        this.throttle = throttle;
        this.timeout = timeout;
        this.ticker = ticker;
        this.start = ticker.nanos();
        this.until = start + budget.toNanos() + 2 * timeout.toNanos();
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
            IdleConnection.Port port,
            Duration budget,
            Duration timeout,
            int connections,
            Throttle throttle,
            Ticker ticker) {
        IdleWatch watch = new IdleWatch(port, budget, timeout, connections, throttle, ticker);
        for (int i = 0; i < connections; i++) {
            watch.threads.add(Thread.ofVirtual().name("probe-idle").start(watch::run));
        }
        return watch;
    }

    private void run() {
        try {
            test(first());
        } catch (IOException | RuntimeException e) {
            failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void failed(Exception e) {
        // Drivers throw any exception, some without a message.
        error.compareAndSet(null, e instanceof IOException ? String.valueOf(e.getMessage()) : e.toString());
    }

    private IdleConnection first() throws IOException, InterruptedException {
        try {
            return opened();
        } finally {
            opening.countDown();
        }
    }

    /** A call, of which a few are made at a time, and none during a measurement. */
    private interface Call<T> {
        T made() throws IOException, InterruptedException;
    }

    private <T> T made(Call<T> call) throws IOException, InterruptedException {
        calls.acquire();
        try {
            throttle.await(ticker);
            Lock shared = measuring.readLock();
            shared.lockInterruptibly();
            try {
                return call.made();
            } finally {
                shared.unlock();
            }
        } finally {
            calls.release();
        }
    }

    private IdleConnection opened() throws IOException, InterruptedException {
        try {
            IdleConnection connection = made(port::open);
            search.opened();
            return connection;
        } catch (IOException | RuntimeException e) {
            failed(e); // before the count of the first ones: who awaits it asks for the failure
            throw e;
        }
    }

    private double now() {
        return (ticker.nanos() - start) / 1e9;
    }

    /** Tests a connection that was just used, and others in its place, until no test gives information. */
    private void test(IdleConnection first) throws IOException, InterruptedException {
        IdleConnection connection = first;
        try {
            while (!stopped) {
                Optional<IdleSearch.Trial> trial = search.begin(now());
                if (trial.isEmpty()) {
                    return;
                }
                if (!survives(connection, trial.get())) {
                    connection.close();
                    if (stopped || !search.hasCapacity(now())) {
                        return;
                    }
                    connection = opened();
                }
            }
        } finally {
            connection.close();
        }
    }

    private boolean survives(IdleConnection connection, IdleSearch.Trial trial)
            throws IOException, InterruptedException {
        try {
            return staysAlive(connection, trial);
        } finally {
            search.abandoned(trial);
        }
    }

    private boolean staysAlive(IdleConnection connection, IdleSearch.Trial trial)
            throws IOException, InterruptedException {
        double left = trial.age();
        while (left > 0 && !stopped && search.isWanted(trial, now())) {
            Duration wait = Duration.ofNanos((long) (1e9 * left));
            KillKind kind = connection.ended(wait.compareTo(CHECK_INTERVAL) < 0 ? wait : CHECK_INTERVAL);
            if (kind != null) {
                search.died(trial, now(), kind, true);
                ticker.parkUntil(ticker.nanos() + PAUSE.toNanos());
                return false;
            }
            left = trial.began() + trial.age() - now();
        }
        if (stopped || search.isSuperfluous(trial, now())) {
            return false;
        }
        Check check = made(() -> check(connection));
        if (check.kind == null) {
            search.lived(trial, check.at);
        } else if (check.kind != KillKind.SILENT || isAnsweredElsewhere()) {
            search.died(trial, check.at, check.kind, false);
        }
        return check.kind == null;
    }

    /** When a connection was used, and how it was killed; null when it works. */
    private record Check(double at, @Nullable KillKind kind) {}

    /**
     * Uses a connection. One that does not work is closed before a level can begin: the peer may still work on the call
     * that it did not answer in time.
     */
    private Check check(IdleConnection connection) throws InterruptedException {
        double at = now();
        KillKind kind = connection.use(timeout);
        if (kind != null) {
            connection.close();
        }
        return new Check(at, kind);
    }

    /** Whether a new connection is answered well within the time that one was not; otherwise the target itself is slow. */
    private boolean isAnsweredElsewhere() throws InterruptedException {
        try {
            return made(() -> {
                long began = ticker.nanos();
                port.open().close();
                return ticker.nanos() - began < timeout.toNanos() / 2;
            });
        } catch (IOException refused) {
            return false;
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
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(0, until - ticker.nanos())))) {
                error.compareAndSet(null, "a connection attempt did not end in time");
                close();
            }
        }
        return search.finding();
    }

    /** Whether the peer accepted some connections and refused others. */
    boolean isPartlyRefused() {
        return error.get() != null && search.hasOpened();
    }

    /** Why connections could not be opened; null when they could. */
    @Nullable
    String error() {
        return error.get();
    }

    /**
     * Waits until the connections are closed, after {@link #close}.
     *
     * @param atMost maximum wait for each, by the system clock
     */
    void awaitClosed(Duration atMost) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(atMost);
        }
    }

    /** No connection is opened or used any more. */
    @Override
    public void close() {
        stopped = true;
        threads.forEach(Thread::interrupt);
    }
}
