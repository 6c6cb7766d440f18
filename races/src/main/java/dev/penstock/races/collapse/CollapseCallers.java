package dev.penstock.races.collapse;

import dev.penstock.Service;
import java.util.concurrent.atomic.LongAdder;

/** Callers that send one item each and check its answer. Thread-safe. */
final class CollapseCallers implements Service<Long, Boolean> {
    private final Service<Long, Long> batcher;
    private final LongAdder asked = new LongAdder();

    CollapseCallers(Service<Long, Long> batcher) {
        this.batcher = batcher;
    }

    /** Whether the answer belongs to this item. */
    @Override
    public Boolean call(Long item) throws Exception {
        asked.increment();
        return batcher.call(item) == SimulatedApi.answerTo(item);
    }

    /** The number of calls, each for a different item. */
    long asked() {
        return asked.sum();
    }
}
