package dev.penstock.dedupe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dedupe.PendingWrites.Debt;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
    private final PendingWrites pendingWrites = new PendingWrites();

    private static Debt debt(int key, long owner) {
        return new Debt("k" + key, "", owner, null);
    }

    @Test
    void aKeyHasOneDebtTheLatest() {
        pendingWrites.owe(debt(1, 1));
        pendingWrites.owe(debt(1, 2));
        assertThat(pendingWrites.take("k1")).extracting(Debt::owner).isEqualTo(2L);
        assertThat(pendingWrites.take("k1")).isNull();
        assertThat(pendingWrites.takeAny()).isNull();
    }

    @Test
    void theOldestIsSettledFirstAndForgottenFirst() {
        for (int key = 0; key <= PendingWrites.MOST; key++) {
            pendingWrites.owe(debt(key, key));
        }
        assertThat(pendingWrites.take("k0")).isNull();
        assertThat(pendingWrites.takeAny()).extracting(Debt::key).isEqualTo("k1");
    }
}
