package dev.penstock.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class KafkaClusterTest {
    @Test
    void aRefusedValueIsNotShownWhateverItsLines() {
        assertThat(KafkaCluster.withoutValue("Invalid value secret\nof two lines for configuration a.b: not a number"))
                .isEqualTo("invalid value for a.b: not a number");
        assertThat(KafkaCluster.withoutValue("no broker\nat all")).isEqualTo("no broker");
    }

    @Test
    void aTargetRefusesASettingWithoutItsValue() {
        assertThatThrownBy(
                        () -> KafkaTarget.at(KafkaCluster.at("127.0.0.1:9").with("send.buffer.bytes", "secret\nvalue"))
                                .topic("t")
                                .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("invalid value for send.buffer.bytes")
                .message()
                .doesNotContain("secret");
    }
}
