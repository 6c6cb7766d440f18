package dev.penstock.races.kafkaflow;

import dev.penstock.flow.Flow;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import dev.penstock.races.kafkaflow.PollingConsumer.Handing;
import dev.penstock.races.machine.PeerJars;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import java.util.List;

/** The contestants of the race. */
final class KafkaFlowContestants {
    static final String LOOP = "loop";
    static final String SHARED = "spring-share";
    static final String PENSTOCK = "penstock";

    /** Confluent's parallel-consumer 0.5.3.3 uses a class that kafka-clients 4.4 does not have any more. */
    private static final PeerJars KAFKA_42 = new PeerJars("app-kafka42");

    static final ContestantList<MessageConsumer.Factory> ALL = ContestantList.<MessageConsumer.Factory>of("kafka-flow")
            .add(
                    ConsumeCourse.UNTHROTTLED,
                    Role.LIMIT,
                    "one consumer that starts a virtual thread per record; no limit, no order, no commits",
                    (url, handling) -> new PollingConsumer(url, handling, Handing.UNTHROTTLED))
            .add(
                    LOOP,
                    Role.BEFORE,
                    "one consumer that handles record after record, and commits after each poll",
                    (url, handling) -> new PollingConsumer(url, handling, Handing.ONE_BY_ONE))
            .add(
                    "pool-per-partition",
                    Role.AFTER,
                    "500 threads for 3 partitions; a partition is paused while a batch of its records is handled, then committed; no order",
                    (url, handling) -> new PollingConsumer(url, handling, Handing.BATCHES))
            .add(
                    "spring-kafka",
                    Role.PEER,
                    "Spring's container, concurrency 3 (one consumer per partition), its defaults",
                    SpringListeners::classic)
            .add(
                    SHARED,
                    Role.PEER,
                    "Spring's container of share consumers, concurrency 50, 50 records a poll; no order",
                    SpringListeners::shared)
            .add(
                    "parallel-key",
                    Role.PEER,
                    "Confluent's parallel-consumer with kafka-clients 4.2, by key, maxConcurrency 500, its defaults",
                    (url, handling) -> new ParallelConsumers(url, handling, ProcessingOrder.KEY))
            .with(KAFKA_42)
            .add(
                    "parallel-unordered",
                    Role.PEER,
                    "the same, without order",
                    (url, handling) -> new ParallelConsumers(url, handling, ProcessingOrder.UNORDERED))
            .with(KAFKA_42)
            .add(
                    PENSTOCK,
                    Role.OURS,
                    "flow with an adaptive limit of 1 to 500, source by key at its defaults",
                    (url, handling) -> new ByKeySource(
                            url, handling, Flow.named("automatic").adaptiveConcurrency(1, ConsumeCourse.BOUND)))
            .add(
                    "by-key-500",
                    Role.OURS,
                    "the same with all 500 in flight",
                    (url, handling) ->
                            new ByKeySource(url, handling, Flow.named("pinned").concurrency(ConsumeCourse.BOUND)));

    /** Those that keep the order of a key, as ours does. */
    static final List<String> ORDERED = List.of(LOOP, "spring-kafka", "parallel-key");

    private KafkaFlowContestants() {}

    /** The group in which a contestant commits. */
    static String group(String contestant) {
        return contestant.equals(SHARED) ? Topic.SHARE_GROUP : Topic.GROUP;
    }
}
