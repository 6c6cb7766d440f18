package dev.penstock.retry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryBudgetTest {
    /** Of 10 requests, with a reserve of 0: 2 retries. */
    private final RetryBudget budget = new RetryBudget(0.2, 0, now -> 10, 0);

    @Test
    void retriesThatAreNotYetSentCountToo() {
        assertThat(budget.tryReserve(0)).isTrue();
        assertThat(budget.tryReserve(0)).isTrue();
        assertThat(budget.tryReserve(0)).isFalse();
        assertThat(budget.charged()).isZero();
    }

    @Test
    void aRetryThatWasNotSentLeavesItsPlaceToAnother() {
        for (int turn = 0; turn < 5; turn++) {
            assertThat(budget.tryReserve(0)).isTrue();
            budget.end(false, 0);
        }
        assertThat(budget.charged()).isZero();
    }

    @Test
    void aRetryThatWasSentDoesNot() {
        for (int turn = 0; turn < 2; turn++) {
            assertThat(budget.tryReserve(0)).isTrue();
            budget.end(true, 0);
        }
        assertThat(budget.tryReserve(0)).isFalse();
        assertThat(budget.charged()).isEqualTo(2);
    }
}
