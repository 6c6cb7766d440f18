package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import org.junit.jupiter.api.Test;

class AckStrategyChoiceTest {
    @Test
    void theBestRungThatAClientCanDoIsTakenAndSaysWhy() {
        assertThat(AckStrategyChoice.of(null, JmsBroker.Kind.ARTEMIS).rung()).isEqualTo(JmsSource.Rung.INDIVIDUAL);
        assertThat(AckStrategyChoice.of(null, JmsBroker.Kind.QPID).rung()).isEqualTo(JmsSource.Rung.INDIVIDUAL);
        AckStrategyChoice other = AckStrategyChoice.of(null, JmsBroker.Kind.OTHER);
        assertThat(other.rung()).isEqualTo(JmsSource.Rung.BATCHES);
        assertThat(other.reason()).contains("beyond JMS");
    }

    @Test
    void whatIsAskedForIsTaken() {
        assertThat(AckStrategyChoice.of(JmsSource.Rung.SESSIONS, JmsBroker.Kind.ARTEMIS))
                .isEqualTo(new AckStrategyChoice(JmsSource.Rung.SESSIONS, "given", true));
    }

    @Test
    void anOrderThatCannotBeKeptIsRefused() {
        AckStrategyChoice batches = AckStrategyChoice.of(null, JmsBroker.Kind.OTHER);
        assertThat(batches.keeping(JmsMessage.GROUP)).isSameAs(batches);
        assertThat(batches.keeping(null)).isSameAs(batches);
        assertThatThrownBy(() -> batches.keeping("account"))
                .hasMessageStartingWith("messages acknowledged by batches are kept in order by JMSXGroupID only")
                .hasMessageContaining("account");
    }
}
