package dev.penstock.gateway.kafka;

import static dev.penstock.gateway.config.Configured.given;

import dev.penstock.Setting;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.transport.MessageBacklog;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.kafka.source.KafkaSourceBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A topic as the source of a flow. */
record TopicSource(KafkaFrom from, KafkaSource source, MessageBacklog lag) implements SourceBinding {
    /** Builds the source. Opens nothing. */
    static TopicSource of(TargetBinding flow, TransportContext context) {
        KafkaFrom from = (KafkaFrom) flow.config().from();
        Configured<String> given = from.key();
        String key = given != null ? given.value() : flow.config().idempotent().value() ? KafkaSource.ID : null;
        KafkaSourceBuilder built = KafkaSource.at(from.topic().cluster())
                .topic(from.topic().name().value(), from.group().value());
        if (from.isShared()) {
            built.shared();
        }
        if (from.transactional().value()) {
            built.transactional();
        }
        given(from.inFlight(), built::inFlight);
        built.deadLetter(from.deadLetterTopic());
        from.redeliver().apply(built::redeliver, built::backoff);
        if (key != null) {
            built.key(key);
        }
        RecordHandler handler = new RecordHandler(
                flow.service(),
                given == null ? null : given.value(),
                context.config().last(flow.config()).to().hasIds(),
                from.toString(),
                StatusSetup.endings(flow.config(), context.config(), context.store()));
        KafkaSource source =
                built.onEnded(handler).to(record -> record, context.startGate().before(handler), flow::capacity);
        return new TopicSource(from, source, new MessageBacklog(source::lag, source.where()));
    }

    @Override
    public String where() {
        return from.toString();
    }

    @Override
    public List<Setting> settings() {
        return source.settings();
    }

    @Override
    public Map<String, Map<String, Long>> counters() {
        Map<String, Long> messages = new LinkedHashMap<>(source.counts());
        messages.put("in_hand", (long) source.buffered());
        lag.latest().ifPresent(number -> messages.put("lag", number));
        return Map.of("messages", messages);
    }

    @Override
    public boolean isSettling() {
        return inFlight() > 0;
    }

    /** Records in process. */
    @Override
    public int inFlight() {
        return source.inFlight();
    }
}
