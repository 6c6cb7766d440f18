package dev.penstock.gateway.kafka;

import static dev.penstock.gateway.config.Configured.given;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Unanswered;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.status.CurrentTransaction;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.status.StoredEndings;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.MessageBacklog;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.KafkaSource;
import dev.penstock.kafka.source.KafkaSourceBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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

    /**
     * Converts records to HTTP calls of a flow. Thread-safe.
     *
     * @param flow the flow
     * @param key the header with the idempotency key; null for none
     * @param sendsId whether the flow passes a transaction id on
     * @param where the topic, for ids
     * @param endings stores the outcomes of records with a transaction id
     */
    private record RecordHandler(
            Service<HttpCall, HttpAnswer> flow,
            @Nullable String key,
            boolean sendsId,
            String where,
            StoredEndings endings)
            implements Service<KafkaRecord, HttpAnswer>, KafkaSource.Ended {
        private static final String RESERVED = "penstock_";

        @Override
        public HttpAnswer call(KafkaRecord record) throws Exception {
            String id = id(record);
            try {
                HttpCall call = request(record);
                HttpCall sent = sendsId ? call.withHeader(TransactionIds.HEADER, id) : call;
                return MessageFields.outcome(CurrentTransaction.carry(id, flow).call(sent));
            } catch (BadInput wrong) {
                throw new Failed(
                        Failed.Cause.REFUSED, "the record is not a valid request: " + wrong.getMessage(), wrong);
            }
        }

        @Override
        public void ended(KafkaRecord record, @Nullable Object answer, @Nullable Unanswered why) throws Exception {
            endings.store(record.header(KafkaSource.ID), answer, why);
        }

        /** The transaction id: that of the sender if it has one, else one made of the place of the record. */
        private String id(KafkaRecord record) {
            String id = Objects.requireNonNull(record.header(KafkaSource.ID));
            return TransactionIds.isValid(id) ? id : TransactionIds.derived(where, id);
        }

        /** Headers that are not valid header fields are omitted; a tombstone is an empty body. */
        HttpCall request(KafkaRecord record) throws Failed {
            Headers headers = Headers.none();
            for (KafkaRecord.Header header : record.headers()) {
                String text = header.text();
                if (text != null && !header.name().startsWith(RESERVED)) {
                    headers = MessageFields.withField(headers, header.name(), text);
                }
            }
            byte[] value = record.value();
            return MessageFields.call(
                    record.header(MessageFields.METHOD),
                    record.header(MessageFields.PATH),
                    headers,
                    key == null ? null : record.key(key),
                    value == null ? new byte[0] : value);
        }
    }
}
