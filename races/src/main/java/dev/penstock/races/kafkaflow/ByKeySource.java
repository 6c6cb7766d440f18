package dev.penstock.races.kafkaflow;

import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.races.messages.ConsumeCourse;
import dev.penstock.races.messages.MessageConsumer;
import dev.penstock.races.messages.MessageWork;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;

/** Ours: receives as many records as the flow can hold, different keys concurrently. */
final class ByKeySource implements MessageConsumer {
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);
    private static final long POLL_NANOS = 1_000_000;

    private final KafkaSource source;

    ByKeySource(String url, MessageWork handling, FlowBuilder<Object> stages) throws IOException {
        Flow<KafkaRecord, Boolean> flow = stages.to(record -> {
            handling.handle(Topic.number(Objects.requireNonNull(record.value())));
            return true;
        });
        source = KafkaSource.at(KafkaCluster.at(url))
                .topic(Topic.NAME, Topic.GROUP)
                .inFlight(ConsumeCourse.BOUND)
                .to(flow);
        source.start();
    }

    @Override
    public void close() {
        source.stopAccepting();
        long until = Ticker.SYSTEM.nanos() + DRAIN_TIMEOUT.toNanos();
        while (source.inFlight() > 0 && Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(Ticker.SYSTEM.nanos() + POLL_NANOS);
        }
        source.close(); // gives unfinished records back
    }
}
