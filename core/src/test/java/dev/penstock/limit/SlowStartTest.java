package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SlowStartTest {
    private static final long MS = 1_000_000;
    private static final double NO_DEADLINE = Double.POSITIVE_INFINITY;

    private final SlowStart slowStart = new SlowStart();
    private final TargetTimes time = new TargetTimes();

    /** So many in flight for a second, with so many answers. */
    private void second(int inFlight, long answers) {
        time.add(new LoadSample(0, 1_000 * MS, answers, answers * MS, 0, 0, 0, 0, inFlight, 0, 0), false);
    }

    @Test
    void doublesWhileNothingHasComeBack() {
        slowStart.begin(0);
        assertThat(slowStart.grow(200, time, NO_DEADLINE, 10 * MS))
                .as("too soon")
                .isEqualTo(200);
        assertThat(slowStart.grow(200, time, NO_DEADLINE, 50 * MS)).isEqualTo(400);
        assertThat(slowStart.grow(400, time, NO_DEADLINE, 100 * MS)).isEqualTo(800);
    }

    @Test
    void growsBlindlyOnlyWhileTheDeadlineIsFar() {
        double ceiling = 500 * MS;
        assertThat(slowStart.mayGrowBlindly(200, ceiling, 0, 0))
                .as("no rate known")
                .isFalse();
        assertThat(slowStart.mayGrowBlindly(200, ceiling, 50 * MS, 250))
                .as("5,000/s fill 200 in 40 ms")
                .isTrue();
        assertThat(slowStart.mayGrowBlindly(400, ceiling, 50 * MS, 250))
                .as("and 400 in 80 ms")
                .isFalse();
        assertThat(slowStart.mayGrowBlindly(400, NO_DEADLINE, 50 * MS, 250)).isTrue();
    }

    @Test
    void doublesWhileCallsTakeNoLongerWithMoreInFlight() {
        slowStart.begin(0);
        second(50, 500);
        second(200, 2_000);
        assertThat(slowStart.grow(200, time, NO_DEADLINE, 2_000 * MS)).isEqualTo(400);
        assertThat(slowStart.grow(400, time, NO_DEADLINE, 3_000 * MS))
                .as("not measured since")
                .isEqualTo(400);
    }

    @Test
    void staysWhereCallsTakeLongerWithMoreInFlight() {
        slowStart.begin(0);
        second(50, 500);
        second(200, 500);
        assertThat(slowStart.grow(200, time, NO_DEADLINE, 2_000 * MS)).isEqualTo(200);
    }

    @Test
    void staysBelowWhatTheDeadlineAllows() {
        slowStart.begin(0);
        second(50, 500);
        second(200, 2_000);
        assertThat(slowStart.grow(200, time, 150 * MS, 2_000 * MS))
                .as("100 ms a call, 150 allowed")
                .isEqualTo(300);
    }

    @Test
    void doublesUpToTheThresholdUntilItIsForgotten() {
        slowStart.begin(0);
        slowStart.stopAt(250, 0);
        second(50, 500);
        second(200, 2_000);
        assertThat(slowStart.grow(200, time, NO_DEADLINE, 2_000 * MS)).isEqualTo(250);
        second(250, 2_500);
        assertThat(slowStart.grow(250, time, NO_DEADLINE, 3_000 * MS)).isEqualTo(250);
        assertThat(slowStart.grow(250, time, NO_DEADLINE, 31_000 * MS)).isEqualTo(500);
    }
}
