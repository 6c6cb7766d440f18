package dev.penstock.kafka.source;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a source. Thread-safe. */
final class KafkaSourceCounts {
    final LongAdder received = new LongAdder();
    final LongAdder completed = new LongAdder();
    final LongAdder triedAgain = new LongAdder();
    final LongAdder deadLetters = new LongAdder();
    final LongAdder givenBack = new LongAdder();
    final LongAdder recognised = new LongAdder();
    final LongAdder rolledBack = new LongAdder();

    Map<String, Long> all() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("received", received.sum());
        all.put("completed", completed.sum());
        all.put("tried_again", triedAgain.sum());
        all.put("dead_letters", deadLetters.sum());
        all.put("given_back", givenBack.sum());
        all.put("recognised", recognised.sum());
        all.put("rolled_back", rolledBack.sum());
        return all;
    }
}
