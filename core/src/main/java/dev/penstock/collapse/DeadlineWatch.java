package dev.penstock.collapse;

import dev.penstock.Ticker;
import dev.penstock.supervise.Supervisor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the callers of batches at their deadlines.
 *
 * <h2>Design note</h2>
 *
 * <p>A timed wait of a virtual thread starts a timer and cancels it. That costs more than all the rest of the stage, and
 * hardly any of these timers expires. So callers wait without a time, and one thread waits for the earliest of their
 * deadlines. Then it wakes those whose time is up and determines the next deadline, which usually belongs to a caller that
 * arrived much later. The thread ends when no caller with a deadline waits.
 *
 * <p>A caller first joins its batch, then compares its deadline with {@code wakesAt}; the thread first sets {@code wakesAt}
 * so far ahead that every caller wakes it, then looks at the batches. So at least one of the two sees the other.
 *
 * <p>Safe for many threads.
 */
final class DeadlineWatch<Q, R> {
    private static final long FAR = Long.MAX_VALUE / 2;

    private final Ticker ticker;
    private final Supervisor supervisor = Supervisor.current();
    private final Set<Batch<Q, R>> batches = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile long wakesAt;

    DeadlineWatch(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Watches the callers of a batch from now on, including those that join later. */
    void add(Batch<Q, R> batch) {
        batches.add(batch);
        long now = ticker.nanos();
        boolean _ = covers(now, batch.wakeLate(now));
    }

    void remove(Batch<Q, R> batch) {
        batches.remove(batch);
    }

    /**
     * Whether a caller is woken at its deadline. Call it when the caller has joined a batch.
     *
     * @param left the time until its deadline, in nanoseconds; {@code Long.MAX_VALUE} for no deadline
     */
    boolean covers(long now, long left) {
        if (left == Long.MAX_VALUE) {
            return true;
        }
        if (!running.get() && running.compareAndSet(false, true)) {
            return start();
        }
        if (now + left - wakesAt < 0) {
            LockSupport.unpark(thread);
        }
        return true;
    }

    private boolean start() {
        try {
            supervisor
                    .part("collapse-deadlines", "collapse")
                    .start(Thread.ofVirtual().name("penstock-collapse-deadlines"), this::watch);
            return true;
        } catch (Throwable noThread) { // the caller waits by a timer of its own
            running.set(false);
            return false;
        }
    }

    private void watch() {
        thread = Thread.currentThread();
        boolean more = true;
        while (more) {
            long now = ticker.nanos();
            wakesAt = now + FAR;
            long left = wakeLate(now);
            if (left < Long.MAX_VALUE) {
                wakesAt = now + left;
                ticker.parkUntil(now + left);
            } else {
                running.set(false);
                // A caller that joined just before has seen this thread running.
                more = wakeLate(now) < Long.MAX_VALUE && running.compareAndSet(false, true);
            }
        }
    }

    private long wakeLate(long now) {
        long left = Long.MAX_VALUE;
        for (Batch<Q, R> batch : batches) {
            left = Math.min(left, batch.wakeLate(now));
        }
        return left;
    }
}
