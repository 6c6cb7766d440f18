package dev.penstock.collapse;

import dev.penstock.BatchCounts;
import dev.penstock.BatchCounts.SendReason;
import dev.penstock.Collapse;
import dev.penstock.Ticker;
import dev.penstock.meter.RecentCount;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

/** Counts requests and batches of a collapse stage. Safe for many threads. */
final class BatchCounter {
    private static final int DIGITS = 2;

    private final Map<SendReason, LongAdder> sent = new EnumMap<>(SendReason.class);
    private final Histogram sizes = new AtomicHistogram(Collapse.LARGEST_BATCH, DIGITS);
    private final LongAdder arrived = new LongAdder();
    private final LongAdder dequeued = new LongAdder();
    private final LongAdder inProgress = new LongAdder();
    private final LongAdder halved = new LongAdder();
    private final Ticker ticker;
    private final RecentCount batches;

    BatchCounter(Ticker ticker) {
        for (SendReason why : SendReason.values()) {
            sent.put(why, new LongAdder());
        }
        this.ticker = ticker;
        this.batches = new RecentCount(Duration.ofSeconds(10), ticker.nanos());
    }

    /** A request arrived. */
    void requestArrived() {
        arrived.increment();
    }

    /** The given number of requests no longer wait in an open batch. */
    void requestsDequeued(int requests) {
        dequeued.add(requests);
    }

    /** A batch was sent to the target. */
    void batchSent(SendReason why, int requests, long now) {
        Objects.requireNonNull(sent.get(why)).increment();
        sizes.recordValue(requests);
        batches.add(now);
        inProgress.increment();
    }

    /** The call of a batch returned. */
    void batchReturned() {
        inProgress.decrement();
    }

    /** A batch was refused as a whole and is sent in halves. */
    void batchHalved() {
        halved.increment();
    }

    /** The number of requests that have arrived. */
    long requests() {
        return arrived.sum();
    }

    double perSecond() {
        return batches.perSecond(ticker.nanos());
    }

    BatchCounts report() {
        Map<SendReason, Long> why = new EnumMap<>(SendReason.class);
        sent.forEach((reason, count) -> why.put(reason, count.sum()));
        long dequeuedSum = dequeued.sum();
        return new BatchCounts(
                why,
                sizes.copy(),
                Math.max(0, arrived.sum() - dequeuedSum),
                Math.max(0, inProgress.sum()),
                halved.sum());
    }
}
