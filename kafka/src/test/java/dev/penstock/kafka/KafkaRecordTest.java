package dev.penstock.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys and headers of a record. */
class KafkaRecordTest {
    @Test
    void hasKeysByNameForRetryAndDedupe() {
        KafkaRecord record = KafkaRecord.text("x").withKey("customer-1").withHeader("Idempotency-Key", "o-1");
        assertThat(record.key(KafkaRecord.RECORD_KEY)).isEqualTo("customer-1");
        assertThat(record.key("Idempotency-Key")).isEqualTo("o-1");
        assertThat(record.key("none")).isNull();
        assertThat(KafkaRecord.text("x").key(KafkaRecord.RECORD_KEY)).isNull();
    }

    @Test
    void replacesHeadersOfTheSameNameAndReadsTheLast() {
        KafkaRecord twice = KafkaRecord.of(
                null, null, List.of(new KafkaRecord.Header("a", new byte[] {'1'}), new KafkaRecord.Header("a", null)));
        assertThat(twice.header("a")).isNull();
        KafkaRecord replaced = twice.withHeader("b", "é").withHeader("a", "2");
        assertThat(replaced.headers()).extracting(KafkaRecord.Header::name).containsExactly("b", "a");
        assertThat(replaced.header("a")).isEqualTo("2");
        assertThat(replaced.header("b")).isEqualTo("é");
    }

    @Test
    void printsNoDataAndNoSecrets() {
        KafkaRecord record = KafkaRecord.text("secret").withKey("secret").withHeader("h", "secret");
        assertThat(record).hasToString("record of 6 bytes");
        assertThat(record.headers()).hasToString("[h]");
        assertThat(KafkaRecord.of(null, null, List.of())).hasToString("tombstone");
    }
}
