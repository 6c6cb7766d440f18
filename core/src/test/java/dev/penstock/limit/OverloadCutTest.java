package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.limit.OverloadCut.Cause;
import dev.penstock.limit.OverloadCut.Cut;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverloadCutTest {
    private static final long MS = 1_000_000;
    private static final double TYPICAL = 50.0 * MS;
    private static final double NO_DEADLINE = Double.POSITIVE_INFINITY;

    private final OverloadCut overload = new OverloadCut();
    private long now;

    private LoadSample sample(long answered, long dropped, long droppedMs) {
        long from = now;
        now += 10 * MS;
        return new LoadSample(
                from, now, answered, answered * 50 * MS, dropped, dropped * droppedMs * MS, 0, 0, 80, 0, 1);
    }

    private @Nullable Cut add(LoadSample sample, boolean measured) {
        return overload.add(sample, 80, 80, measured, TYPICAL, NO_DEADLINE);
    }

    private @Nullable Cut late(double typicalNanos) {
        return overload.add(sample(10, 0, 0), 80, 80, true, typicalNanos, 500.0 * MS);
    }

    private static Cut cut(@Nullable Cut found) {
        return Objects.requireNonNull(found);
    }

    @Test
    void halvesWhenMostAttemptsAreDropped() {
        Cut cut = cut(add(sample(10, 50, 200), true));
        assertThat(cut.why()).isEqualTo(Cause.DROPS);
        assertThat(cut.level()).isEqualTo(40);
        assertThat(cut.settleNanos()).isEqualTo(200 * MS);
        assertThat(cut.reason())
                .isEqualTo("83 % of attempts with 80 in flight timed out or got a busy answer, after 200 ms");
    }

    @Test
    void takesFewerDropsWhenTheyTakeLongerThanAnswers() {
        assertThat(add(sample(20, 25, 60), true)).as("as long as answers").isNull();
        overload.clear();
        assertThat(add(sample(20, 25, 200), true)).isNotNull();
    }

    @Test
    void ignoresFewAttemptsAndFastRefusals() {
        assertThat(add(sample(1, 15, 200), true)).as("fewer than 20 attempts").isNull();
        overload.clear();
        assertThat(add(sample(1, 50, 10), true)).as("refused in 10 ms").isNull();
    }

    @Test
    void quartersALimitThatWasNeverMeasured() {
        assertThat(cut(add(sample(0, 50, 200), false)).level()).isEqualTo(20);
    }

    @Test
    void waitsUntilAttemptsBeforeTheCutHaveEnded() {
        add(sample(0, 50, 200), true);
        assertThat(overload.isSettling(now + 199 * MS)).isTrue();
        assertThat(overload.isSettling(now + 200 * MS)).isFalse();
    }

    @Test
    void cutsInProportionWhenAnswersTakeTooLongForTheDeadline() {
        assertThat(late(600.0 * MS)).isNull();
        Cut cut = cut(late(1_000.0 * MS));
        assertThat(cut.why()).isEqualTo(Cause.DEADLINE);
        assertThat(cut.level()).as("0.8 x 500 / 1,000 of 80").isEqualTo(32);
        assertThat(cut(late(60_000.0 * MS)).level()).as("not below 0.3 of 80").isEqualTo(24);
    }

    @Test
    void recoversToHalfByOnePermitPerAnswer() {
        assertThat(cut(add(sample(0, 50, 200), true)).why()).isEqualTo(Cause.SILENCE);
        assertThat(overload.recovery()).isEqualTo(40);
        assertThat(overload.recover(5, sample(5, 0, 0))).as("still settling").isEqualTo(5);
        now += 200 * MS;
        assertThat(overload.recover(5, sample(5, 0, 0))).isEqualTo(10);
        assertThat(overload.recover(30, sample(30, 0, 0))).isEqualTo(40);
        assertThat(overload.recover(40, sample(30, 0, 0))).isEqualTo(40);
        assertThat(overload.recover(5, sample(5, 1, 200))).as("still dropped").isEqualTo(5);
    }

    @Test
    void recoversToTheLimitBeforeTheFirstOfSeveralCuts() {
        add(sample(1, 50, 200), true);
        assertThat(overload.recovery()).as("it still answers").isZero();
        now += 200 * MS;
        overload.clear();
        overload.add(sample(0, 50, 200), 20, 20, false, TYPICAL, NO_DEADLINE);
        assertThat(overload.recovery()).isEqualTo(40);
        overload.endRecovery();
        assertThat(overload.recovery()).isZero();
    }
}
