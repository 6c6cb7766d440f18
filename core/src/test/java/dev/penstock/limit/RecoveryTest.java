package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecoveryTest {
    private final Recovery recovery = new Recovery();

    private static LoadSample answers(long answered, long dropped) {
        return new LoadSample(0, 10, answered, answered, dropped, dropped, 0, 5, 0, 1);
    }

    @Test
    void comesBackToHalfByOnePermitAnAnswer() {
        recovery.onCut(80, true);
        assertThat(recovery.grow(5, answers(5, 0))).isEqualTo(10);
        assertThat(recovery.grow(30, answers(30, 0))).isEqualTo(40);
        assertThat(recovery.grow(40, answers(30, 0))).isEqualTo(40);
    }

    @Test
    void remembersTheFirstCutOfASilence() {
        recovery.onCut(80, false);
        recovery.onCut(0, true);
        assertThat(recovery.level()).isEqualTo(40);
    }

    @Test
    void staysWhenTheTargetStillAnswered() {
        recovery.onCut(80, false);
        assertThat(recovery.grow(5, answers(5, 0))).isEqualTo(5);
    }

    @Test
    void staysWhileAttemptsComeToNothing() {
        recovery.onCut(80, true);
        assertThat(recovery.grow(5, answers(5, 1))).isEqualTo(5);
    }
}
