package dev.penstock.dedupe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dedupe.PendingWrites.PendingWrite;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
    private final PendingWrites pendingWrites = new PendingWrites();

    private static PendingWrite debt(int key, long owner) {
        return new PendingWrite("k" + key, "", owner, null);
    }

    @Test
    void aKeyHasOneDebtTheLatest() {
        pendingWrites.add(debt(1, 1));
        pendingWrites.add(debt(1, 2));
        assertThat(pendingWrites.take("k1")).extracting(PendingWrite::owner).isEqualTo(2L);
        assertThat(pendingWrites.take("k1")).isNull();
        assertThat(pendingWrites.takeAny()).isNull();
    }

    @Test
    void theOldestIsSettledFirstAndForgottenFirst() {
        for (int key = 0; key <= PendingWrites.MOST; key++) {
            pendingWrites.add(debt(key, key));
        }
        assertThat(pendingWrites.take("k0")).isNull();
        assertThat(pendingWrites.takeAny()).extracting(PendingWrite::key).isEqualTo("k1");
    }
}
