package dev.penstock.dedupe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.dedupe.Debts.Debt;
import org.junit.jupiter.api.Test;

class DebtsTest {
    private final Debts debts = new Debts();

    private static Debt debt(int key, long owner) {
        return new Debt("k" + key, "", owner, null);
    }

    @Test
    void aKeyHasOneDebtTheLatest() {
        debts.owe(debt(1, 1));
        debts.owe(debt(1, 2));
        assertThat(debts.take("k1")).extracting(Debt::owner).isEqualTo(2L);
        assertThat(debts.take("k1")).isNull();
        assertThat(debts.takeAny()).isNull();
    }

    @Test
    void theOldestIsSettledFirstAndForgottenFirst() {
        for (int key = 0; key <= Debts.MOST; key++) {
            debts.owe(debt(key, key));
        }
        assertThat(debts.take("k0")).isNull();
        assertThat(debts.takeAny()).extracting(Debt::key).isEqualTo("k1");
    }
}
