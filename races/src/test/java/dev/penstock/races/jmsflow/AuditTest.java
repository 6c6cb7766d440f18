package dev.penstock.races.jmsflow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class AuditTest {
    @Test
    void whatIsNeitherHandledNorLeftIsLostAndWhatIsBothIsADuplicate() throws Exception {
        Handling handling = new Handling(HandlerTime.NONE, 1, 5);
        handling.handle(0);
        handling.handle(1);
        handling.handle(1);
        handling.handle(2);
        BitSet left = new BitSet();
        left.set(2);
        left.set(3);

        assertThat(Audit.of(handling, left)).isEqualTo(new Audit(1, 2));
        assertThat(handling.ended()).isEqualTo(4);
        assertThat(handling.inFlight()).isZero();
        assertThat(handling.inFlightMax()).isEqualTo(1);
    }
}
