package dev.penstock.dedupe;

import dev.penstock.Dedupe;
import dev.penstock.meter.RecentCount;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** Counts requests with a key, by outcome. Safe for many threads. */
final class DedupeCounter {
    final LongAdder first = new LongAdder();
    final LongAdder duplicates = new LongAdder();
    final LongAdder waited = new LongAdder();
    final LongAdder settled = new LongAdder();
    final LongAdder refused = new LongAdder();
    final LongAdder unavailable = new LongAdder();
    final LongAdder unwritten = new LongAdder();
    final LongAdder waiting = new LongAdder();
    private final RecentCount requests;

    DedupeCounter(long now) {
        requests = new RecentCount(Duration.ofSeconds(10), now);
    }

    void requests(long now) {
        requests.add(now);
    }

    long requests() {
        return requests.total();
    }

    double perSecond(long now) {
        return requests.perSecond(now);
    }

    Dedupe.Counts report() {
        return new Dedupe.Counts(
                first.sum(),
                duplicates.sum(),
                waited.sum(),
                settled.sum(),
                refused.sum(),
                unavailable.sum(),
                unwritten.sum(),
                Math.max(0, waiting.sum()));
    }
}
