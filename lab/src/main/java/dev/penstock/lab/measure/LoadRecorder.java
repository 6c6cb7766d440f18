package dev.penstock.lab.measure;

import java.util.concurrent.atomic.AtomicLong;
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
 * <p>A window of fixed length is cut into ten slices, each with response times of its own. The whole is their sum, so a
 * transaction is recorded no more often than without them, and the slices are as precise as the whole; they cost memory
 * instead, all of it taken at the start, so that no transaction pays for it.
 *
 * <p>Safe for many threads. Memory: 2.5 MB a stripe, at most 8 stripes; with an open end 0.7 MB a stripe.
 */
public final class LoadRecorder {
    /** The end of a window that lasts until the last transaction has ended. */
    public static final long OPEN_END = Long.MAX_VALUE;

    /** Into how many slices a window of fixed length is cut. */
    public static final int SLICES = 10;

    private long windowStart;
    private final long windowLength;
    private final int slices;
    private final long sliceLength;
    private final RecorderStripe[] stripes;
    /** By slice; the first is for what was due before the window. */
    private final LongAdder[] started;

    private final LongAdder[] shed;
    private final AtomicLong longestLag = new AtomicLong();
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
        this.slices = windowLength == OPEN_END ? 1 : SLICES;
        this.sliceLength = Math.max(1, windowLength / slices);
        int cores = Runtime.getRuntime().availableProcessors();
        this.stripes = new RecorderStripe[Math.min(8, 2 * Integer.highestOneBit(cores))];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new RecorderStripe(slices);
        }
        this.started = adders(1 + slices);
        this.shed = adders(1 + slices);
    }

    /**
     * Lets counting begin at another time, so that a recorder can be made, which takes some ms, before the load begins.
     * Only before anything is recorded, and before other threads know it.
     *
     * @param start the reading of the load's ticker at which counting begins
     */
    public void beginAt(long start) {
        windowStart = start;
    }

    /** Notes that a transaction starts; {@code intended} is when it was to. */
    public void started(long intended) {
        started[1 + slice(intended)].increment();
    }

    /** Notes that a transaction was due and was not started. */
    public void shed(long intended) {
        shed[1 + slice(intended)].increment();
    }

    /** Whether a transaction counts that was to start at {@code intended}: false during the warm-up. */
    public boolean isMeasured(long intended) {
        return slice(intended) >= 0;
    }

    /** Notes how late a transaction started, in nanoseconds, when it starts: for the time line. */
    public void lagged(long nanos) {
        if (nanos > longestLag.get()) {
            longestLag.accumulateAndGet(nanos, Math::max);
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
        RecorderStripe stripe = free();
        try {
            if (!finished) {
                record(stripe, outcome, intended, start, end);
            }
        } finally {
            stripe.lock.unlock();
        }
    }

    /** Everything as it is now, without slices. */
    public Recorded soFar() {
        return recorded(1);
    }

    /** Ends the recording: what has no ending by now is lost. */
    public Recorded finish() {
        for (RecorderStripe stripe : stripes) {
            stripe.lock.lock();
        }
        try {
            finished = true;
        } finally {
            for (RecorderStripe stripe : stripes) {
                stripe.lock.unlock();
            }
        }
        return recorded(slices);
    }

    /** How many transactions were due so far, the warm-up's included. */
    long due() {
        return sum(started, 0) + sum(shed, 0);
    }

    /** What ended since this was last asked. */
    IntervalTally takeInterval() {
        IntervalTally all = new IntervalTally();
        for (RecorderStripe stripe : stripes) {
            stripe.lock.lock();
            try {
                all.take(stripe.lately);
            } finally {
                stripe.lock.unlock();
            }
        }
        return all;
    }

    /** The largest lag since this was last asked, in nanoseconds. */
    long takeLongestLag() {
        return longestLag.getAndSet(0);
    }

    private Recorded recorded(int parts) {
        RecorderStripe sum = new RecorderStripe(parts);
        for (RecorderStripe stripe : stripes) {
            stripe.lock.lock();
            try {
                sum.add(stripe);
            } finally {
                stripe.lock.unlock();
            }
        }
        return Recorded.of(sum, perSlice(started, parts), perSlice(shed, parts), windowSeconds(sum));
    }

    private void record(RecorderStripe stripe, Outcome outcome, long intended, long start, long end) {
        boolean right = outcome == Outcome.RIGHT;
        long response = Math.clamp(end - intended, 0, Latency.MOST);
        stripe.ended(end);
        stripe.lately.ended(right, response);
        if (right && end - windowStart >= 0 && end - windowStart < windowLength) {
            stripe.slices[slice(end)].rightCame++;
        }
        int due = slice(intended);
        if (due < 0) {
            return;
        }
        SliceTally slice = stripe.slices[due];
        slice.outcomes[outcome.index()]++;
        slice.response.recordValue(response);
        add(stripe.service, end - start);
        add(stripe.lag, start - intended);
    }

    private static void add(Histogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, Latency.MOST));
    }

    /** The slice in which a reading lies, -1 before the window; what lies after it counts as the last. */
    private int slice(long at) {
        long into = at - windowStart;
        if (into < 0) {
            return -1;
        }
        return (int) Math.min(into / sliceLength, slices - 1);
    }

    private RecorderStripe free() {
        int first = (int) Thread.currentThread().threadId();
        int mask = stripes.length - 1;
        for (int i = 0; i < stripes.length; i++) {
            RecorderStripe stripe = stripes[(first + i) & mask];
            if (stripe.lock.tryLock()) {
                return stripe;
            }
        }
        RecorderStripe stripe = stripes[first & mask];
        stripe.lock.lock();
        return stripe;
    }

    private double windowSeconds(RecorderStripe sum) {
        long length = windowLength;
        if (length == OPEN_END) {
            length = sum.any ? Math.max(sum.lastEnd - windowStart, 0) : 0;
        }
        return length / 1e9;
    }

    private static long[] perSlice(LongAdder[] counts, int parts) {
        long[] perSlice = new long[parts];
        for (int i = 1; i < counts.length; i++) {
            perSlice[Math.min(i - 1, parts - 1)] += counts[i].sum();
        }
        return perSlice;
    }

    private static long sum(LongAdder[] counts, int from) {
        long sum = 0;
        for (int i = from; i < counts.length; i++) {
            sum += counts[i].sum();
        }
        return sum;
    }

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        for (int i = 0; i < count; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }
}
