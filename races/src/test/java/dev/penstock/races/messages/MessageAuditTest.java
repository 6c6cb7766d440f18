package dev.penstock.races.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.races.messages.MessageWork.HandlerTime;
import dev.penstock.races.messages.MessageWork.MessageAudit;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

class MessageAuditTest {
    @Test
    void countsLostAndDuplicateMessages() throws Exception {
        MessageWork handling = new MessageWork(HandlerTime.NONE, 1, 5);
        handling.handle(0);
        handling.handle(1);
        handling.handle(1);
        handling.handle(2);
        BitSet left = new BitSet();
        left.set(2);
        left.set(3);

        assertThat(MessageAudit.of(handling, left)).isEqualTo(new MessageAudit(1, 2));
        assertThat(handling.ended()).isEqualTo(4);
        assertThat(handling.inFlight()).isZero();
        assertThat(handling.inFlightMax()).isEqualTo(1);
    }
}
