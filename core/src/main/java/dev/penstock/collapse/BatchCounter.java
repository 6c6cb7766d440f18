package dev.penstock.collapse;

import dev.penstock.Ticker;
import dev.penstock.meter.RecentCount;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/** Counts batches. Safe for many threads. */
final class BatchCounter {
    private static final int DIGITS = 2;

    private final Map<SendReason, LongAdder> left = new EnumMap<>(SendReason.class);
    private final Histogram sizes = new AtomicHistogram(Collapse.MOST, DIGITS);
    private final LongAdder came = new LongAdder();
    private final LongAdder gone = new LongAdder();
    private final LongAdder out = new LongAdder();
    private final LongAdder halved = new LongAdder();
    private final Ticker ticker;
    private final RecentCount batches;

    BatchCounter(Ticker ticker) {
        for (SendReason why : SendReason.values()) {
            left.put(why, new LongAdder());
        }
        this.ticker = ticker;
        this.batches = new RecentCount(Duration.ofSeconds(10), ticker.nanos());
    }

    /** A request came. */
    void came() {
        came.increment();
    }

    /** So many requests wait no more. */
    void went(int requests) {
        gone.add(requests);
    }

    /** A batch goes to the target. */
    void left(SendReason why, int requests, long now) {
        Objects.requireNonNull(left.get(why)).increment();
        sizes.recordValue(requests);
        batches.add(now);
        out.increment();
    }

    /** A batch is back. */
    void back() {
        out.decrement();
    }

    /** A batch was refused as a whole, and goes in halves. */
    void halved() {
        halved.increment();
    }

    /** How many requests have come. */
    long requests() {
        return came.sum();
    }

    double perSecond() {
        return batches.perSecond(ticker.nanos());
    }

    BatchCounts report() {
        Map<SendReason, Long> why = new EnumMap<>(SendReason.class);
        left.forEach((reason, count) -> why.put(reason, count.sum()));
        long ended = gone.sum();
        return new BatchCounts(why, sizes.copy(), Math.max(0, came.sum() - ended), Math.max(0, out.sum()), halved.sum());
    }
}
