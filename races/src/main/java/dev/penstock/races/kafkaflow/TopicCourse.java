package dev.penstock.races.kafkaflow;

import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.FilledBroker;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;

/** A full topic with one kind of handlers. */
class TopicCourse extends ConsumeCourse {
    private static final int FASTEST = 60_000;
    private static final Duration AROUND = Duration.ofSeconds(25);

    /** All contestants. */
    TopicCourse(String name, HandlerTime time) {
        this(name, KafkaFlowContestants.ALL.entries(), time);
        goals(GoalRule.most("in_flight_max", BOUND));
        if (time.most() > 0) {
            goalsOf(KafkaFlowContestants.PENSTOCK, GoalRule.least("of_ceiling", 0.9));
        }
        KafkaFlowContestants.ORDERED.forEach(
                peer -> goalsOf(KafkaFlowContestants.PENSTOCK, GoalRule.times("tps", peer, 1)));
        goalsOf(KafkaFlowContestants.PENSTOCK_SHARED, GoalRule.times("tps", KafkaFlowContestants.SPRING_SHARED, 3));
    }

    /** Some contestants. */
    TopicCourse(String name, List<Entry> entries, HandlerTime time) {
        super(name, KafkaFlowContestants.ALL, entries, time, FASTEST);
        lasts(LoadTimes.ofMillis(4_000, 8_000), LoadTimes.ofMillis(2_000, 3_000), AROUND);
    }

    @Override
    protected String backlog() {
        return "a full topic of 3 partitions and 1,000 keys, records of 1 KB, in a broker process over TCP";
    }

    @Override
    public Scene open(Block block) throws Exception {
        KafkaBroker broker = Topic.broker();
        int records = messages(block);
        return FilledBroker.of(broker, broker.servers(), records, () -> Topic.fill(broker.servers(), records));
    }

    @Override
    protected BitSet left(Block block, String url, MessageWork handling) throws Exception {
        return Topic.left(url, KafkaFlowContestants.group(block.entry()), number -> handling.times(number) > 0);
    }
}
