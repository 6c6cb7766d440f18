package dev.penstock.gateway.kafka;

import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.gateway.config.TelemetryConfig;
import dev.penstock.gateway.status.InFlightStatus;
import dev.penstock.gateway.status.StatusPage;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.JsonBody;
import dev.penstock.gateway.transport.MessageFields;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kafka.KafkaTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A topic as the target of HTTP requests: each is answered with 202 as soon as all in-sync replicas have its record.
 * Thread-safe.
 *
 * <p>The body is the value. Header fields become headers of the record; their names are case-insensitive in HTTP and not in
 * Kafka, so each word is capitalised: {@code idempotency-key} becomes {@code Idempotency-Key}.
 *
 * @param target sends the records
 * @param base the path of the flow
 * @param key the header with the key of a record, or its JSON pointer in the body; null for none
 * @param status records transactions as pending; null to record none
 */
record TopicTarget(
        KafkaTarget target,
        String base,
        @Nullable String key,
        @Nullable InFlightStatus status) implements Target.Converting<HttpCall, HttpAnswer> {
    @Override
    public HttpAnswer call(HttpCall call) throws Unanswered {
        String id = TransactionIds.of(call);
        if (status == null || status.begin(id)) {
            target.call(record(call));
        }
        return StatusPage.accepted(id, status != null);
    }

    /** The record of a request. */
    KafkaRecord record(HttpCall call) {
        List<KafkaRecord.Header> headers = new ArrayList<>();
        for (Header field : call.headers()) {
            if (!MessageFields.isOmitted(field)) {
                headers.add(header(name(field.name()), field.value()));
            }
        }
        headers.add(header(MessageFields.ID, TransactionIds.of(call)));
        if (!call.method().equals("POST")) {
            headers.add(header(MessageFields.METHOD, call.method()));
        }
        String rest = MessageFields.rest(call.path(), base);
        if (!rest.isEmpty()) {
            headers.add(header(MessageFields.PATH, rest));
        }
        String value = key == null ? null : key.startsWith("/") ? JsonBody.text(call.body(), key) : call.key(key);
        return KafkaRecord.of(value == null ? null : utf8(value), call.body(), headers);
    }

    private static KafkaRecord.Header header(String name, String value) {
        return new KafkaRecord.Header(name, utf8(value));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The fields of a trace keep their names, as other clients read them. */
    private static String name(String field) {
        String lower = field.toLowerCase(Locale.ROOT);
        if (TelemetryConfig.FIELDS.contains(lower)) {
            return lower;
        }
        StringBuilder name = new StringBuilder(lower);
        for (int i = 0; i < lower.length(); i++) {
            if (i == 0 || lower.charAt(i - 1) == '-') {
                name.setCharAt(i, Character.toUpperCase(lower.charAt(i)));
            }
        }
        return name.toString();
    }
}
