package dev.penstock.races.collapse;

import dev.penstock.Service;
import java.util.concurrent.atomic.LongAdder;

/** Ask a contestant, each for an item of its own, and check that the answer is theirs. Safe for many threads. */
final class CollapseCallers implements Service<Long, Boolean> {
    private final Service<Long, Long> batcher;
    private final LongAdder asked = new LongAdder();

    CollapseCallers(Service<Long, Long> batcher) {
        this.batcher = batcher;
    }

    /** Whether the answer is that to this item, and not to another one. */
    @Override
    public Boolean call(Long item) throws Exception {
        asked.increment();
        return batcher.call(item) == SimulatedApi.answerTo(item);
    }

    /** How many have asked; each of them for another item. */
    long asked() {
        return asked.sum();
    }
}
