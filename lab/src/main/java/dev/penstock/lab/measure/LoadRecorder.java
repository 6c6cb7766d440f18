package dev.penstock.lab.measure;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * Records the transactions of one load. Transactions intended to start before the window (in the warm-up) are in none
 * of the counts and histograms; correct answers count towards TPS by their time of arrival.
 * <h2>Design note</h2>
 *
 * <p>Thousands of short-lived virtual threads rule out a recorder per thread. Instead there are a few stripes, each
 * with a lock; a thread uses the first one that {@code tryLock} gets. So a transaction costs one uncontended lock, and
 * a reader merging a stripe blocks no writer: writers use the next stripe.
 *
 * <p>A window of fixed length is divided into ten slices, each with its own response time histogram. The whole is their
 * sum, so slices add no work per transaction and have full precision. They cost memory, which is allocated at the
 * start, so that no transaction pays for it.
 *
 * <p>A transaction without an ending at the end has waited at least since the end of the slice in which it was due. So long
 * it counts in the response and service time, which needs no record of each transaction in flight.
 *
 * <p>With labels, a transaction is recorded twice under one lock, in the whole and at its label, so the sums of the labels
 * are those of the whole.
 *
 * <p>Thread-safe. Memory: 2.7 MB per stripe, at most 8 stripes; 0.9 MB per stripe with an open end; 0.2 MB more per label.
 */
public final class LoadRecorder {
    /** The end of a window that lasts until the last transaction has ended. */
    public static final long OPEN_END = Long.MAX_VALUE;

    /** The number of slices of a window of fixed length. */
    public static final int SLICES = 10;

    private long windowStart;
    private volatile long windowLength;
    private volatile boolean stoppedEarly;
    private volatile long lastStart;
    private final int slices;
    private final long sliceLength;
    private final List<String> labels;
    private final RecorderStripe[] stripes;
    /** By slice; index 0 is before the window. With labels, a row of them for each. */
    private final LongAdder[] started;

    private final LongAdder[] shed;
    private final AtomicLong longestLag = new AtomicLong();
    private volatile boolean finished;

    /** The transactions of a window that were started, or shed. Without labels, {@code byLabel} has one element. */
    @SuppressWarnings("ArrayRecordComponent") // for one reader
    record Starts(long[] bySlice, long[] byLabel) {}

    /**
     * A recorder for one load, and for the transactions of each label separately.
     *
     * @param windowStart start of the window, by the load's ticker
     * @param windowLength nanoseconds, or {@link #OPEN_END}
     * @param labels may be empty
     */
    public LoadRecorder(long windowStart, long windowLength, List<String> labels) {
        this.labels = List.copyOf(labels);
        this.windowStart = windowStart;
        this.windowLength = windowLength;
        this.lastStart = windowStart + windowLength;
        this.slices = windowLength == OPEN_END ? 1 : SLICES;
        this.sliceLength = Math.max(1, windowLength / slices);
        int starts = Math.max(1, labels.size()) * (1 + slices);
        int cores = Runtime.getRuntime().availableProcessors();
        this.stripes = new RecorderStripe[Math.min(8, 2 * Integer.highestOneBit(cores))];
        for (int i = 0; i < stripes.length; i++) {
            stripes[i] = new RecorderStripe(slices, labels.size(), starts);
        }
        this.started = adders(starts);
        this.shed = adders(starts);
    }

    /**
     * Moves the start of the window, so that the recorder, whose construction takes some ms, can be made before the
     * load starts. Only before anything is recorded and before other threads have access.
     *
     * @param start start of the window, by the load's ticker
     */
    public void beginAt(long start) {
        windowStart = start;
        lastStart = start + windowLength;
    }

    /** Records that no transaction starts after this time, by the load's ticker. */
    public void startsUntil(long at) {
        lastStart = at;
    }

    /** Ends the window at this time, by the load's ticker: nothing starts after it. There are no slices then. */
    public void stopAt(long at) {
        startsUntil(at);
        windowLength = Math.min(windowLength, Math.max(0, at - windowStart));
        stoppedEarly = true;
    }

    /**
     * Records the start of a transaction intended to start at {@code intended}.
     *
     * @param label index of its label; 0 without labels
     */
    public void started(long intended, int label) {
        started[at(intended, label)].increment();
    }

    /** Records a transaction that was due and was not started; the parameters are those of {@link #started}. */
    public void shed(long intended, int label) {
        shed[at(intended, label)].increment();
    }

    /** Whether a transaction intended to start at {@code intended} counts: false during the warm-up. */
    public boolean isMeasured(long intended) {
        return slice(intended) >= 0;
    }

    /** Records the lag of a start, in nanoseconds, for the time line. */
    public void lagged(long nanos) {
        if (nanos > longestLag.get()) {
            longestLag.accumulateAndGet(nanos, Math::max);
        }
    }

    /**
     * Records the end of a started transaction; ignored after {@link #finish}. All times are by the load's ticker.
     *
     * @param outcome the outcome
     * @param label index of its label; 0 without labels
     * @param intended intended start
     * @param start actual start
     * @param end its end
     */
    public void ended(Outcome outcome, int label, long intended, long start, long end) {
        RecorderStripe stripe = lockedStripe();
        try {
            if (!finished) {
                record(stripe, outcome, label, intended, start, end);
            }
        } finally {
            stripe.lock.unlock();
        }
    }

    /** The measurements so far, without slices and labels. */
    public Recorded soFar() {
        return recorded(sum(1, 0), sums(started), List.of(), false);
    }

    /**
     * Ends the recording: transactions without an ending are lost.
     *
     * @param now the time until which they waited, by the load's ticker
     */
    public Recorded finish(long now) {
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
        RecorderStripe sum = sum(slices, labels.size());
        long[] starts = sums(started);
        addLost(sum, starts, now);
        return recorded(sum, starts, labels, !stoppedEarly);
    }

    private void addLost(RecorderStripe sum, long[] starts, long now) {
        for (int i = 0; i < starts.length; i++) {
            int slice = i % (1 + slices) - 1;
            long lost = starts[i] - sum.endedOfStarted[i];
            if (slice < 0 || lost <= 0) {
                continue;
            }
            long sinceSlice = slice == slices - 1 ? 0 : now - (windowStart + (slice + 1) * sliceLength);
            long waited = Math.clamp(Math.max(sinceSlice, now - lastStart), 0, Latency.MAX);
            sum.slices[slice].unanswered(waited, lost);
            if (!labels.isEmpty()) {
                sum.labels[i / (1 + slices)].unanswered(waited, lost);
            }
            sum.service.recordValueWithCount(waited, lost);
        }
    }

    /** The number of transactions due so far, including the warm-up. */
    long due() {
        return sum(started) + sum(shed);
    }

    /** What ended since the previous call. */
    IntervalTally takeInterval() {
        IntervalTally all = new IntervalTally();
        for (RecorderStripe stripe : stripes) {
            stripe.lock.lock();
            try {
                all.take(stripe.interval);
            } finally {
                stripe.lock.unlock();
            }
        }
        return all;
    }

    /** The maximum lag since the previous call, in nanoseconds. */
    long takeLongestLag() {
        return longestLag.getAndSet(0);
    }

    private RecorderStripe sum(int parts, int byLabel) {
        RecorderStripe sum = new RecorderStripe(parts, byLabel, started.length);
        for (RecorderStripe stripe : stripes) {
            stripe.lock.lock();
            try {
                sum.add(stripe);
            } finally {
                stripe.lock.unlock();
            }
        }
        return sum;
    }

    private Recorded recorded(RecorderStripe sum, long[] starts, List<String> byLabel, boolean sliced) {
        int parts = sum.slices.length;
        return Recorded.of(sum, starts(starts, parts), starts(sums(shed), parts), windowSeconds(sum), byLabel, sliced);
    }

    private void record(RecorderStripe stripe, Outcome outcome, int label, long intended, long start, long end) {
        boolean right = outcome == Outcome.RIGHT;
        long response = Math.clamp(end - intended, 0, Latency.MAX);
        stripe.ended(end);
        stripe.interval.ended(outcome, response);
        stripe.endedOfStarted[at(intended, label)]++;
        SliceTally ofLabel = stripe.labels.length == 0 ? null : stripe.labels[label];
        if (right && end - windowStart >= 0 && end - windowStart < windowLength) {
            stripe.slices[slice(end)].rightArrived++;
            if (ofLabel != null) {
                ofLabel.rightArrived++;
            }
        }
        int due = slice(intended);
        if (due < 0) {
            return;
        }
        stripe.slices[due].due(outcome, response);
        if (ofLabel != null) {
            ofLabel.due(outcome, response);
        }
        if (right || outcome.isUnanswered()) {
            add(stripe.service, end - start);
        } else {
            stripe.failures.recordValue(response);
        }
        add(stripe.lag, start - intended);
    }

    private static void add(Histogram histogram, long nanos) {
        histogram.recordValue(Math.clamp(nanos, 0, Latency.MAX));
    }

    /** The slice of a time: -1 before the window, the last one after its end. */
    private int slice(long at) {
        long into = at - windowStart;
        if (into < 0) {
            return -1;
        }
        return (int) Math.min(into / sliceLength, slices - 1);
    }

    private int at(long intended, int label) {
        return label * (1 + slices) + 1 + slice(intended);
    }

    private RecorderStripe lockedStripe() {
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

    private Starts starts(long[] counts, int parts) {
        long[] bySlice = new long[parts];
        long[] byLabel = new long[counts.length / (1 + slices)];
        for (int i = 0; i < counts.length; i++) {
            int slice = i % (1 + slices) - 1;
            if (slice >= 0) {
                long count = counts[i];
                bySlice[Math.min(slice, parts - 1)] += count;
                byLabel[i / (1 + slices)] += count;
            }
        }
        return new Starts(bySlice, byLabel);
    }

    private static long sum(LongAdder[] counts) {
        return LongStream.of(sums(counts)).sum();
    }

    /** Reads each count once, so that slices and labels have the same sum. */
    private static long[] sums(LongAdder[] counts) {
        return Stream.of(counts).mapToLong(LongAdder::sum).toArray();
    }

    private static LongAdder[] adders(int count) {
        LongAdder[] adders = new LongAdder[count];
        for (int i = 0; i < count; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }
}
