package dev.penstock.gateway.kafka;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.gateway.status.CurrentTransaction;
import dev.penstock.gateway.status.StoredEndings;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.source.KafkaSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Converts records to HTTP calls of a flow. Thread-safe.
 *
 * @param flow the flow
 * @param key the header with the idempotency key; null for none
 * @param sendsId whether the flow passes a transaction id on
 * @param where the topic, for ids
 * @param endings stores the outcomes of records with a transaction id
 */
record RecordHandler(
        Service<HttpCall, HttpAnswer> flow, @Nullable String key, boolean sendsId, String where, StoredEndings endings)
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
            throw new Failed(Failed.Cause.REFUSED, "the record is not a valid request: " + wrong.getMessage(), wrong);
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
