package dev.penstock.races.kafkaflow;

import dev.penstock.races.DeclaredRace;
import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.util.List;

/** How fast a topic is consumed with a limited number of records in flight, in which order, and what is lost. */
public final class KafkaFlowRace extends DeclaredRace {
    private static final HandlerTime SHORT = new HandlerTime(20, 20);

    /** For the service loader. */
    public KafkaFlowRace() {
        super(
                "kafka-flow",
                "How fast is a topic consumed with a limited number of records in flight, and what is lost or handled twice?",
                () -> List.of(
                        new TopicCourse("0ms", HandlerTime.NONE),
                        new TopicCourse("20ms", SHORT),
                        new TopicCourse("50-200ms", new HandlerTime(50, 200)),
                        new RebalanceCourse("rebalance", SHORT),
                        new SlowKeyCourse(),
                        new KillCourse()));
    }
}
