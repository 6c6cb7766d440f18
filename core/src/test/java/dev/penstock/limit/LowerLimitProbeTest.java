package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LowerLimitProbeTest {
    private static final long SECOND = 1_000_000_000;
    private static final long MS = 1_000_000;

    private final LowerLimitProbe probe = new LowerLimitProbe();
    private final TargetTimes time = new TargetTimes();
    private final LoadWindow turn = new LoadWindow();

    LowerLimitProbeTest() {
        probe.begin(0);
        time.add(new LoadSample(0, SECOND, 400, 400 * 50 * MS, 0, 0, 0, 0, 20, 0, 1), false);
    }

    /** With 200 permits there were 400 answers in a second, of so much each. */
    private void turnOf(long nanosEach) {
        turn.add(new LoadSample(0, SECOND, 400, 400 * nanosEach, 0, 0, 0, 0, 200, 0, 1));
    }

    private LowerLimitProbe.Result run(long answersPerStretch) {
        LowerLimitProbe.Result result = LowerLimitProbe.Result.NONE;
        for (long now = 0; result == LowerLimitProbe.Result.NONE && now < 10 * SECOND; now += 10 * MS) {
            result = probe.add(
                    new LoadSample(
                            now, now + 10 * MS, answersPerStretch, answersPerStretch * 50 * MS, 0, 0, 0, 0, 40, 0, 1),
                    time);
        }
        return result;
    }

    @Test
    void testsTwiceWhatLittlesLawAsksForWhereCallsAreQueuedAtTheTarget() {
        turnOf(500 * MS);
        assertThat(probe.start(0, 200, 1, turn, time)).isTrue();
        assertThat(probe.permits()).as("2 x 400/s x 50 ms").isEqualTo(40);
    }

    @Test
    void testsNothingWhereFewerCouldNotGiveAsMany() {
        turnOf(100 * MS);
        assertThat(probe.start(0, 200, 1, turn, time)).isFalse();
    }

    @Test
    void findsThatFewerGiveAsMany() {
        turnOf(500 * MS);
        probe.start(0, 200, 1, turn, time);
        assertThat(run(8)).isEqualTo(LowerLimitProbe.Result.AS_MANY);
        assertThat(probe.rate()).isEqualTo(800);
    }

    @Test
    void goesOnWithAHigherLimitWhenCallsTakeLongerThanAssumed() {
        turnOf(500 * MS);
        probe.start(0, 200, 1, turn, time);
        assertThat(run(3)).isEqualTo(LowerLimitProbe.Result.TOO_LOW);
        assertThat(probe.reason()).isEqualTo("200 in flight gave 400 answers/s, and 40 in flight gave 300");
        assertThat(time.shortestNanos()).as("40 in flight at 300/s").isCloseTo(133 * MS, within(1.0 * MS));
        assertThat(probe.permits()).as("2 x 400/s x 133 ms, but at most half").isEqualTo(100);
        assertThat(run(5)).isEqualTo(LowerLimitProbe.Result.AS_MANY);
    }

    @Test
    void waitsTwiceAsLongAfterEachTestThatFoundLess() {
        turnOf(500 * MS);
        probe.start(0, 200, 1, turn, time);
        assertThat(run(2)).isEqualTo(LowerLimitProbe.Result.TOO_LOW);
        assertThat(run(2)).isEqualTo(LowerLimitProbe.Result.FEWER);
        turn.clear();
        turnOf(5_000 * MS);
        assertThat(probe.start(3 * SECOND, 200, 1, turn, time)).isFalse();
        assertThat(probe.start(6 * SECOND, 200, 1, turn, time)).isTrue();
    }
}
