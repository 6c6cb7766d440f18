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
 * level of concurrency is measured, because a call more is an error at a peer that refuses calls beyond some number.
 * Thread-safe.
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

    private volatile Answered answered;

    IdleCalls(IdlePort port, Throttle throttle, Ticker ticker) {
        this.port = port;
        this.throttle = throttle;
        this.ticker = ticker;
        this.answered = new Answered(ticker.nanos(), Long.MAX_VALUE);
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

    /**
     * A check of a connection.
     *
     * @param at start, by the ticker
     * @param kind how the connection was killed; null when it works
     */
    record Check(long at, @Nullable KillKind kind) {}

    /** Opens a connection and uses it once. */
    IdleConnection open() throws IOException, InterruptedException {
        calls.acquire();
        try {
            return timed();
        } finally {
            calls.release();
        }
    }

    private IdleConnection timed() throws IOException, InterruptedException {
        throttle.await(ticker);
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
     * Uses a connection. One that does not work is closed before a level can begin: the peer may still work on the call
     * that it did not answer in time.
     *
     * @param timeout maximum wait for the answer
     */
    Check check(IdleConnection connection, Duration timeout) throws InterruptedException {
        calls.acquire();
        try {
            return checked(connection, timeout);
        } finally {
            calls.release();
        }
    }

    private Check checked(IdleConnection connection, Duration timeout) throws InterruptedException {
        throttle.await(ticker);
        Lock shared = measuring.readLock();
        shared.lockInterruptibly();
        try {
            long at = ticker.nanos();
            KillKind kind = connection.use(timeout);
            if (kind != null) {
                connection.close();
            }
            return new Check(at, kind);
        } finally {
            shared.unlock();
        }
    }

    /**
     * Whether a new connection is answered well within the time that a checked one was not; otherwise the target itself
     * is slow. One connection opened meanwhile answers this for all waiting checks.
     */
    boolean isAnsweredElsewhere(long since, Duration waited) throws InterruptedException {
        calls.acquire();
        try {
            if (!answered.isWithin(since, waited)) {
                timed().close();
            }
            return answered.isWithin(since, waited);
        } catch (IOException refused) {
            return false;
        } finally {
            calls.release();
        }
    }

    /** Held by a measurement that these calls would disturb: they wait for its end. */
    Lock measuring() {
        return measuring.writeLock();
    }
}
