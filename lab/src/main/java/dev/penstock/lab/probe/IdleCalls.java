package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Throttle;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The calls of an {@link IdleWatch}: the first call of each connection, and the checks. None is in progress while a
 * level of concurrency is measured, because a call more is an error at a peer that refuses calls beyond some
 * number. Thread-safe.
 */
final class IdleCalls {
    /**
     * The maximum number of calls in parallel. Many are due when a level ends; all at once they would be a load of their
     * own, whose delays look like dropped connections. A check waits for an answer four times as long as the slowest of
     * the calls that were made one after another, so a target that works on one call at a time answers three in time.
     */
    private static final int MOST = 3;

    private final IdlePort port;
    private final Throttle throttle;
    private final Ticker ticker;
    /** Fair: the connection that is due for the longest time is next. */
    private final Semaphore calls = new Semaphore(MOST, true);

    /** Calls share it; a measurement takes it alone. Fair, so that neither waits for more than one of the other. */
    private final ReentrantReadWriteLock measuring = new ReentrantReadWriteLock(true);

    IdleCalls(IdlePort port, Throttle throttle, Ticker ticker) {
        this.port = port;
        this.throttle = throttle;
        this.ticker = ticker;
    }

    /**
     * A check of a connection.
     *
     * @param at start, by the ticker
     * @param kind how the connection was killed; null when it works
     */
    record Check(long at, @Nullable KillKind kind) {}

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

    /** Opens a connection and uses it once. */
    IdleConnection open() throws IOException, InterruptedException {
        return made(port::open);
    }

    /**
     * Uses a connection. One that does not work is closed before a level can begin: the peer may still work on the call
     * that it did not answer in time.
     *
     * @param timeout maximum wait for the answer
     */
    Check check(IdleConnection connection, Duration timeout) throws IOException, InterruptedException {
        return made(() -> {
            long at = ticker.nanos();
            KillKind kind = connection.use(timeout);
            if (kind != null) {
                connection.close();
            }
            return new Check(at, kind);
        });
    }

    /**
     * Whether a new connection is answered well within the time that a checked one was not; otherwise the target itself
     * is slow.
     */
    boolean isAnsweredElsewhere(Duration waited) throws InterruptedException {
        try {
            return made(() -> {
                long began = ticker.nanos();
                port.open().close();
                return ticker.nanos() - began < waited.toNanos() / 2;
            });
        } catch (IOException refused) {
            return false;
        }
    }

    /** Held by a measurement that these calls would disturb: they wait for its end. */
    Lock measuring() {
        return measuring.writeLock();
    }
}
