package dev.penstock.races.kafkaflow;

import dev.penstock.Ticker;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.messages.MeasuredWindow;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.time.Duration;
import java.util.stream.Stream;

/** A second member of the group comes and goes every 5 s. */
final class RebalanceCourse extends TopicCourse {
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final double LONGEST_STALL_MS = 3_000;

    RebalanceCourse(String name, HandlerTime time) {
        super(
                name,
                KafkaFlowContestants.ALL.only(
                        Stream.concat(KafkaFlowContestants.ORDERED.stream(), Stream.of(KafkaFlowContestants.PENSTOCK))
                                .toList()),
                time);
        lasts(LoadTimes.ofMillis(4_000, 30_000), LoadTimes.ofMillis(2_000, 12_000), Duration.ofSeconds(35));
        rounds(3);
        goals(GoalRule.most("stall_ms", LONGEST_STALL_MS));
    }

    @Override
    public String workload(Effort effort) {
        return super.workload(effort) + "; a second member of the group, in the same JVM, comes and goes every "
                + EVERY.toSeconds() + " s";
    }

    @Override
    protected MeasuredWindow consume(Block block, String url, MessageWork handling) throws Exception {
        Thread second = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    rest();
                    try (MessageConsumer _ =
                            KafkaFlowContestants.ALL.named(block.entry()).at(url, handling)) {
                        rest();
                    }
                }
            } catch (Exception failed) {
                throw new IllegalStateException("the second member failed", failed);
            }
        });
        try {
            return super.consume(block, url, handling);
        } finally {
            second.interrupt();
            second.join();
        }
    }

    /** Ends early when the thread is interrupted. */
    private static void rest() {
        long until = Ticker.SYSTEM.nanos() + EVERY.toNanos();
        while (until - Ticker.SYSTEM.nanos() > 0 && !Thread.currentThread().isInterrupted()) {
            Ticker.SYSTEM.parkUntil(until);
        }
    }
}
