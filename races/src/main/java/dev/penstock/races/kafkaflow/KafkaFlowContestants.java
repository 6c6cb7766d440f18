package dev.penstock.races.kafkaflow;

import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.kafka.source.KafkaSourceBuilder;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import dev.penstock.races.kafkaflow.PollingConsumer.Handing;
import dev.penstock.races.machine.PeerJars;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import dev.penstock.races.messages.PenstockSource;
import io.confluent.parallelconsumer.ParallelConsumerOptions.ProcessingOrder;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** The contestants of the race. */
final class KafkaFlowContestants {
    static final String LOOP = "loop";
    static final String SPRING = "spring-kafka";
    static final String SPRING_SHARED = "spring-share";
    static final String PARALLEL_KEY = "parallel-key";
    static final String PENSTOCK = "penstock";
    static final String PENSTOCK_SHARED = "penstock-share";

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
                    SPRING,
                    Role.PEER,
                    "Spring's container, concurrency 3 (one consumer per partition), its defaults",
                    SpringListeners::classic)
            .add(
                    SPRING_SHARED,
                    Role.PEER,
                    "Spring's container of share consumers, concurrency 50, 50 records a poll; no order",
                    SpringListeners::shared)
            .add(
                    PARALLEL_KEY,
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
                    (url, handling) -> source(PENSTOCK, url, flow(handling, automatic())))
            .add(
                    "by-key-500",
                    Role.OURS,
                    "the same with all 500 in flight",
                    (url, handling) -> source(
                            PENSTOCK, url, flow(handling, Flow.named("pinned").concurrency(ConsumeCourse.BOUND))))
            .add(
                    PENSTOCK_SHARED,
                    Role.OURS,
                    "flow with an adaptive limit of 1 to 500, source in a share group at its defaults; no order",
                    (url, handling) -> source(PENSTOCK_SHARED, url, flow(handling, automatic())));

    /** Those that keep the order of a key, as ours does. */
    static final List<String> ORDERED = List.of(LOOP, SPRING, PARALLEL_KEY);

    private KafkaFlowContestants() {}

    /** The group in which a contestant commits. */
    static String group(String contestant) {
        return isShared(contestant) ? Topic.SHARE_GROUP : Topic.GROUP;
    }

    private static boolean isShared(String contestant) {
        return contestant.equals(SPRING_SHARED) || contestant.equals(PENSTOCK_SHARED);
    }

    static FlowBuilder<Object> automatic() {
        return Flow.named("automatic").adaptiveConcurrency(1, ConsumeCourse.BOUND);
    }

    private static Flow<KafkaRecord, Boolean> flow(MessageWork handling, FlowBuilder<Object> stages) {
        return stages.to(record -> {
            handling.handle(number(record));
            return true;
        });
    }

    static int number(KafkaRecord record) {
        return Topic.number(Objects.requireNonNull(record.value()));
    }

    /** Ours: receives as many records as the flow can hold, by key or from a share group. */
    static MessageConsumer source(String contestant, String url, Flow<KafkaRecord, ?> flow) throws IOException {
        boolean isShared = isShared(contestant);
        KafkaCluster cluster = KafkaCluster.at(url);
        KafkaSourceBuilder built = KafkaSource.at(
                        isShared
                                ? cluster
                                : cluster.with(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, Topic.SESSION_MILLIS))
                .topic(Topic.NAME, group(contestant))
                .key(KafkaSource.ID)
                .inFlight(ConsumeCourse.BOUND);
        KafkaSource source = (isShared ? built.shared() : built).to(flow);
        return PenstockSource.started(source, source::inFlight);
    }
}
