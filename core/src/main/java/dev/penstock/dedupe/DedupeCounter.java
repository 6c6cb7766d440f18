package dev.penstock.dedupe;

import dev.penstock.meter.RecentCount;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests with a key, by outcome. Safe for many threads. */
final class DedupeCounter {
    final LongAdder first = new LongAdder();
    final LongAdder repeated = new LongAdder();
    final LongAdder waited = new LongAdder();
    final LongAdder settled = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder unavailable = new LongAdder();
    final LongAdder unwritten = new LongAdder();
    final LongAdder waiting = new LongAdder();
    private final RecentCount came;

    DedupeCounter(long now) {
        came = new RecentCount(Duration.ofSeconds(10), now);
    }

    void came(long now) {
        came.add(now);
    }

    long came() {
        return came.total();
    }

    double perSecond(long now) {
        return came.perSecond(now);
    }

    DedupeCounts report() {
        return new DedupeCounts(
                first.sum(),
                repeated.sum(),
                waited.sum(),
                settled.sum(),
                refused.sum(),
                unavailable.sum(),
                unwritten.sum(),
                Math.max(0, waiting.sum()));
    }
}
