package dev.penstock.kafka;

import dev.penstock.Keyed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record, independent of its topic: key, value and headers. Immutable; the byte arrays must not be changed.
 *
 * <pre>{@code
 * KafkaRecord.text("{\"amount\": 7}").withKey("customer-1").withHeader("Idempotency-Key", "p-1")
 * }</pre>
 *
 * @param key records of one key are in one partition; null for any partition
 * @param value null for a tombstone, which deletes the key from a compacted topic
 * @param headers in order; unmodifiable
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record KafkaRecord(byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) implements Keyed {
    /** The name of a key that stands for the record's own key: {@value}. */
    public static final String RECORD_KEY = "kafka_key";

    public KafkaRecord {
        headers = List.copyOf(headers);
    }

    /**
     * A header. Several may have the same name.
     *
     * @param value not to be changed; null for a header without a value
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Header(String name, byte @Nullable [] value) {
        /** The value as UTF-8; null when it has none. */
        public @Nullable String text() {
            return KafkaRecord.text(value);
        }

        /** Without the value, which may be secret. */
        @Override
        public String toString() {
            return name;
        }
    }

    /** A record without key and headers; the text is sent as UTF-8. */
    public static KafkaRecord text(String value) {
        return of(null, value.getBytes(StandardCharsets.UTF_8), List.of());
    }

    /** A record of any parts. */
    public static KafkaRecord of(byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
        return new KafkaRecord(key, value, headers);
    }

    private static @Nullable String text(byte @Nullable [] bytes) {
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    /** The last header of a name as text; null when there is none, or it has no value. */
    public @Nullable String header(String name) {
        String text = null;
        for (Header header : headers) {
            if (header.name.equals(name)) {
                text = header.text();
            }
        }
        return text;
    }

    /** The record's own key for {@link #RECORD_KEY}, otherwise the header of that name. */
    @Override
    public @Nullable String key(String name) {
        return name.equals(RECORD_KEY) ? text(key) : header(name);
    }

    /** A copy with a key, sent as UTF-8. */
    public KafkaRecord withKey(String newKey) {
        return new KafkaRecord(newKey.getBytes(StandardCharsets.UTF_8), value, headers);
    }

    /** A copy with a header, sent as UTF-8, instead of those of the same name. */
    public KafkaRecord withHeader(String name, String text) {
        List<Header> more = new ArrayList<>(headers);
        more.removeIf(header -> header.name.equals(name));
        more.add(new Header(name, text.getBytes(StandardCharsets.UTF_8)));
        return of(key, value, more);
    }

    /** Without its parts, which may be secret. */
    @Override
    public String toString() {
        return value == null ? "tombstone" : "record of %,d bytes".formatted(value.length);
    }
}
