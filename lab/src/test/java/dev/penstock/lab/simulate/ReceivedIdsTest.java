package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.simulate.ReceivedIds.Seen;
import org.junit.jupiter.api.Test;

class ReceivedIdsTest {
    @Test
    void tellsTheFirstReceiptFromLaterOnes() {
        ReceivedIds ledger = new ReceivedIds(10);

        assertThat(ledger.receive("a", true)).isEqualTo(Seen.FIRST);
        assertThat(ledger.receive("b", true)).isEqualTo(Seen.FIRST);
        assertThat(ledger.receive("a", true)).isEqualTo(Seen.AGAIN);
        assertThat(ledger.size()).isEqualTo(2);
        assertThat(ledger.applied()).isEqualTo(2);
    }

    @Test
    void whatDidNotTakeEffectAtFirstMayTakeEffectLaterAndOnlyOnce() {
        ReceivedIds ledger = new ReceivedIds(10);

        ledger.receive("a", false);
        assertThat(ledger.applied()).isZero();
        assertThat(ledger.receive("a", true)).isEqualTo(Seen.AGAIN);
        ledger.receive("a", true);
        assertThat(ledger.applied()).isEqualTo(1);
    }

    @Test
    void remembersManyExactlyWhileItGrows() {
        ReceivedIds ledger = new ReceivedIds(200_000);
        for (int i = 0; i < 100_000; i++) {
            assertThat(ledger.receive("id-" + i, i % 2 == 0)).isEqualTo(Seen.FIRST);
        }
        for (int i = 0; i < 100_000; i++) {
            assertThat(ledger.receive("id-" + i, false)).isEqualTo(Seen.AGAIN);
        }
        assertThat(ledger.size()).isEqualTo(100_000);
        assertThat(ledger.applied()).isEqualTo(50_000);
    }

    @Test
    void beyondItsBoundItSaysSoAndStillKnowsTheOld() {
        ReceivedIds ledger = new ReceivedIds(2);
        ledger.receive("a", true);
        ledger.receive("b", true);

        assertThat(ledger.receive("c", true)).isEqualTo(Seen.FULL);
        assertThat(ledger.receive("a", true)).isEqualTo(Seen.AGAIN);
        assertThat(ledger.size()).isEqualTo(2);
        assertThat(ledger.applied()).isEqualTo(2);
    }
}
