package dev.penstock.lab.measure;

import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * Gathers what becomes of each transaction of one load. Transactions whose intended start is before the window (the
 * warm-up) are in none of the counts and histograms; a right answer counts towards TPS by when it came.
 *
 * <h2>Design note</h2>
 *
 * <p>Virtual threads come and go by the thousand, so a recorder for each thread is out. It keeps a few stripes instead,
 * each with a lock; a thread takes one that is free, by trying. That is one uncontended lock for all of a transaction's
 * numbers, and a reader that merges a stripe stops nobody: writers go to the next.
 *
 * <p>Safe for many threads. Memory: about 600 KB a stripe, at most 8 stripes.
 */
public final class LoadRecorder {
    /** The end of a window that lasts until the last transaction has ended. */
    public static final long OPEN_END = Long.MAX_VALUE;

    private final long windowStart;
    private final long windowLength;
    private final Stripe[] stripes;
    private final LongAdder started = new LongAdder();
    private final LongAdder shed = new LongAdder();
    private volatile boolean finished;

    /**
     * A recorder for one load.
     *
     * @param windowStart the reading of the load's ticker at which counting begins
     * @param windowLength nanoseconds from there, or {@link #OPEN_END}
     */
    public LoadRecorder(long windowStart, long windowLength) {
        this.windowStart = windowStart;
        this.windowLength = windowLength;
        int cores = Runtime.getRuntime().availableProcessors();
        this.stripes = new Stripe[Math.min(8, 2 * Integer.highestOneBit(cores))];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** Notes that a transaction starts; {@code intended} is when it was to. */
    public void started(long intended) {
        if (intended - windowStart >= 0) {
            started.increment();
        }
    }

    /** Notes that a transaction was due and was not started. */
    public void shed(long intended) {
        if (intended - windowStart >= 0) {
            shed.increment();
        }
    }

    /**
     * Notes how a transaction that had started ended; nothing once {@link #finish()} was called. All times are readings of
     * the load's ticker.
     *
     * @param outcome how
     * @param intended when it was to start
     * @param start when it did
     * @param end when it ended
     */
    public void ended(Outcome outcome, long intended, long start, long end) {
        Stripe stripe = free();
        try {
            if (!finished) {
                record(stripe, outcome, intended, start, end);
            }
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Everything as it is now. */
    public Recorded soFar() {
        Stripe sum = new Stripe();
        for (Stripe stripe : stripes) {
            stripe.lock.lock();
            try {
                sum.add(stripe);
            } finally {
                stripe.lock.unlock();
            }
        }
        return new Recorded(sum, started.sum(), shed.sum(), windowSeconds(sum));
    }

    /** Ends the recording: what has no ending by now is lost. */
    public Recorded finish() {
        for (Stripe stripe : stripes) {
            stripe.lock.lock();
        }
        try {
            finished = true;
        } finally {
            for (Stripe stripe : stripes) {
                stripe.lock.unlock();
            }
        }
        return soFar();
    }

    private void record(Stripe stripe, Outcome outcome, long intended, long start, long end) {
        stripe.ended++;
        if (!stripe.any || end - stripe.lastEnd > 0) {
            stripe.any = true;
            stripe.lastEnd = end;
        }
        long intoWindow = end - windowStart;
        if (outcome == Outcome.RIGHT && intoWindow >= 0 && intoWindow < windowLength) {
            stripe.rightInWindow++;
        }
        if (intended - windowStart < 0) {
            return;
        }
        stripe.outcomes[outcome.index()]++;
        add(stripe.response, end - intended);
        add(stripe.service, end - start);
        add(stripe.lag, start - intended);
    }

    private static void add(Histogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, Latency.MOST));
    }

    private Stripe free() {
        int first = (int) Thread.currentThread().threadId();
        int mask = stripes.length - 1;
        for (int i = 0; i < stripes.length; i++) {
            Stripe stripe = stripes[(first + i) & mask];
            if (stripe.lock.tryLock()) {
                return stripe;
            }
        }
        Stripe stripe = stripes[first & mask];
        stripe.lock.lock();
        return stripe;
    }

    private double windowSeconds(Stripe sum) {
        long length = windowLength;
        if (length == OPEN_END) {
            length = sum.any ? Math.max(sum.lastEnd - windowStart, 0) : 0;
        }
        return length / 1e9;
    }
}
