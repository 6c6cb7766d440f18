package dev.penstock.observe;

import dev.penstock.Unanswered;
import dev.penstock.meter.Timings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Decides which transactions of one flow get a record, and counts the records. Thread-safe. */
final class FlowRecords {
    static final String ERROR = "error";
    static final String SLOW = "slow";
    static final String SHARE = "share";

    /** Transactions are compared with those of the last interval of this length with enough of them. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    /** An interval ends later until it has this many transactions, so that there is a p99. */
    static final int ENOUGH = 100;

    private static final int FAULTS = 500;
    private static final double P99 = 99;
    private static final double ALL = 100;

    private final String name;
    private final Sampling sampling;
    private final AtomicLong intervalEnd;
    private volatile Timings times = new Timings();
    private volatile long usual = Long.MAX_VALUE;
    final LongAdder written = new LongAdder();
    final LongAdder dropped = new LongAdder();
    final LongAdder unwritable = new LongAdder();

    FlowRecords(String name, Sampling sampling, long now) {
        this.name = name;
        this.sampling = sampling;
        this.intervalEnd = new AtomicLong(now + INTERVAL.toNanos());
    }

    String name() {
        return name;
    }

    /** Why an ended transaction gets a record; null when it gets none. */
    @Nullable
    String sampled(int status, @Nullable Unanswered ending, long nanos, long now) {
        boolean slow = sampling.slow() && isSlow(nanos, now);
        if (sampling.errors() && (ending != null || status >= FAULTS)) {
            return ERROR;
        }
        if (slow) {
            return SLOW;
        }
        double share = sampling.percent();
        return share > 0 && (share >= ALL || ThreadLocalRandom.current().nextDouble(ALL) < share) ? SHARE : null;
    }

    private boolean isSlow(long nanos, long now) {
        times.record(nanos);
        long end = intervalEnd.get();
        if (now - end >= 0 && intervalEnd.compareAndSet(end, now + INTERVAL.toNanos())) {
            Histogram last = times.snapshot();
            if (last.getTotalCount() >= ENOUGH) {
                usual = last.getValueAtPercentile(P99);
                times = new Timings();
            }
        }
        return nanos > usual;
    }

    /** Records that were written; those for which the queue had no room; those that the file or stream did not take. */
    Map<String, Long> counts() {
        return Map.of("written", written.sum(), "dropped", dropped.sum(), "unwritable", unwritable.sum());
    }
}
