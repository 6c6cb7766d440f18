package dev.penstock.supervise;

import dev.penstock.Ticker;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Checks every 250 ms whether this process can start a thread. Where the limit of its user or container is reached, requests
 * fail and signals are not handled, since each needs a thread. Nothing in the process can change that, so after 5 s it is called
 * exhausted. The check has a thread of its own, started while there still are some.
 *
 * <p>Thread-safe.
 */
public final class ThreadWatch implements AutoCloseable {
    static final Duration INTERVAL = Duration.ofMillis(250);

    /** How long no thread can be started before the process is exhausted. Shorter shortages pass: other processes end. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Part part = Supervisor.current().part("thread-watch", "this process");
    private final Ticker ticker;
    private final ThreadFactory threads;
    private final Runnable exhausted;
    private volatile @Nullable String outage;
    private volatile boolean closed;

    /** A watch that has not started; the parameters are those of {@link #start}. */
    ThreadWatch(Ticker ticker, ThreadFactory threads, Runnable exhausted) {
        this.ticker = ticker;
        this.threads = threads;
        this.exhausted = exhausted;
    }

    /**
     * Starts a watch.
     *
     * @param ticker the clock
     * @param exhausted called once, on the thread of this watch, when no thread could be started for 5 s
     */
    public static ThreadWatch start(Ticker ticker, Runnable exhausted) {
        ThreadWatch watch = new ThreadWatch(
                ticker,
                Thread.ofPlatform().daemon().name("penstock-thread-trial").factory(),
                exhausted);
        Thread _ = watch.part.start(Thread.ofPlatform().daemon().name("penstock-thread-watch"), watch::run);
        return watch;
    }

    /** Why this process cannot serve; null while it can start threads. */
    public @Nullable String outage() {
        return outage;
    }

    /** Whether an error means that no thread could be started. */
    public static boolean isNoThread(Throwable failure) {
        // The JVM has no type of its own for this; it prints "unable to create native thread".
        return failure instanceof OutOfMemoryError
                && String.valueOf(failure.getMessage()).contains("thread");
    }

    /** What to do when no thread can be started, for the end of a sentence. */
    public static String remedy() {
        return "raise the limit of processes and threads of its user (ulimit -u) or of its container (pids.max)";
    }

    void run() {
        long failingSince = 0;
        while (!closed) {
            long now = ticker.nanos();
            if (canStartOne()) {
                outage = null;
            } else if (outage == null) {
                failingSince = now;
                outage = "this process cannot start a thread; " + remedy();
            } else if (now - failingSince >= PATIENCE.toNanos()) {
                exhausted.run();
                return;
            }
            ticker.parkUntil(now + INTERVAL.toNanos());
        }
    }

    private boolean canStartOne() {
        try {
            threads.newThread(() -> {}).start();
            return true;
        } catch (OutOfMemoryError none) {
            return false;
        }
    }

    @Override
    public void close() {
        closed = true;
        part.close();
    }
}
