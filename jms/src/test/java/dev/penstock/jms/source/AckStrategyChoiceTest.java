package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import org.junit.jupiter.api.Test;

class AckStrategyChoiceTest {
    @Test
    void choosesTheBestModeOfAClientWithAReason() {
        assertThat(AckStrategyChoice.of(null, JmsBroker.Kind.ARTEMIS).ackMode())
                .isEqualTo(JmsSource.AckMode.INDIVIDUAL);
        assertThat(AckStrategyChoice.of(null, JmsBroker.Kind.QPID).ackMode()).isEqualTo(JmsSource.AckMode.INDIVIDUAL);
        AckStrategyChoice other = AckStrategyChoice.of(null, JmsBroker.Kind.OTHER);
        assertThat(other.ackMode()).isEqualTo(JmsSource.AckMode.BATCHES);
        assertThat(other.reason()).contains("no known individual acknowledgement");
    }

    @Test
    void usesTheConfiguredMode() {
        assertThat(AckStrategyChoice.of(JmsSource.AckMode.SESSIONS, JmsBroker.Kind.ARTEMIS))
                .isEqualTo(new AckStrategyChoice(JmsSource.AckMode.SESSIONS, "configured", true));
    }

    @Test
    void rejectsAnOrderThatTheModeCannotKeep() {
        AckStrategyChoice batches = AckStrategyChoice.of(null, JmsBroker.Kind.OTHER);
        assertThat(batches.requireOrder(JmsMessage.GROUP)).isSameAs(batches);
        assertThat(batches.requireOrder(null)).isSameAs(batches);
        assertThatThrownBy(() -> batches.requireOrder("account"))
                .hasMessageStartingWith("acknowledgement by batches keeps the order only by JMSXGroupID")
                .hasMessageContaining("account");
    }
}
