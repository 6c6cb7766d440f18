package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Throttle;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * Keeps connections idle for the times chosen by an {@link IdleSearch}, in parallel with other measurements. Each
 * connection is watched by its own virtual thread. Close it, or take its {@link #finding}.
 */
final class IdleWatch implements AutoCloseable {
    private final IdleCalls calls;
    private final IdleTester tester;
    private final Ticker ticker;
    private final long until;
    private final CountDownLatch opening;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable String> error = new AtomicReference<>();

    private IdleWatch(
            IdlePort port, Duration budget, Duration timeout, int connections, Throttle throttle, Ticker ticker) {
        IdleSearch search = IdleSearch.within(budget.toNanos() / 1e9, timeout.toNanos() / 1e9, connections);
        this.calls = new IdleCalls(port, throttle, ticker);
        this.tester = new IdleTester(search, calls, timeout, ticker);
        this.ticker = ticker;
        this.until = ticker.nanos() + budget.toNanos() + 2 * timeout.toNanos();
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

    private void run() {
        try {
            tester.test(first());
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
            return tester.opened();
        } catch (IOException | RuntimeException e) {
            failed(e); // before the count: who awaits it asks for the failure
            throw e;
        } finally {
            opening.countDown();
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
        return calls.measuring();
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
        return tester.finding();
    }

    /** Whether the peer accepted some connections and refused others. */
    boolean isPartlyRefused() {
        return error.get() != null && tester.hasOpened();
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

    @Override
    public void close() {
        tester.stop();
        threads.forEach(Thread::interrupt);
    }
}
