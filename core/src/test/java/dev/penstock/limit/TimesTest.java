package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class TimesTest {
    private static final double MS = 1e6;
    private static final Percentage CLOSE = Percentage.withPercentage(0.1);

    private final Times times = new Times(Double.POSITIVE_INFINITY);

    private void add(int inFlight, double millis) {
        times.add(Turns.of(inFlight, millis * MS), inFlight);
    }

    @Test
    void nothingIsKnownAtFirst() {
        assertThat(times.isKnown()).isFalse();
        assertThat(times.usualNanos()).isZero();
        assertThat(times.unloadedNanos()).isNaN();
        assertThat(times.isTooLong()).isFalse();
        assertThat(times.isTooSlow(Turns.of(10, 1e12))).isFalse();
    }

    @Test
    void theUsualTimeFollowsByHalf() {
        add(10, 100);
        assertThat(times.usualNanos()).isCloseTo(100 * MS, CLOSE);
        add(10, 400);
        assertThat(times.usualNanos()).isCloseTo(200 * MS, CLOSE);
    }

    @Test
    void theUnloadedTimeFallsAtOnceAndDoesNotRiseWithLoad() {
        add(100, 100);
        add(100, 50);
        assertThat(times.unloadedNanos()).isCloseTo(50 * MS, CLOSE);
        assertThat(times.unloadedInFlight()).isEqualTo(100);
        add(200, 300);
        assertThat(times.unloadedNanos()).isCloseTo(50 * MS, CLOSE);
    }

    @Test
    void theUnloadedTimeRisesWhereFewerTakeLonger() {
        add(100, 50);
        add(50, 200);
        assertThat(times.unloadedNanos()).as("half of the way").isCloseTo(100 * MS, CLOSE);
        assertThat(times.unloadedInFlight()).isEqualTo(50);
    }

    @Test
    void theUnloadedTimeRisesWhereAPairShowsNoLoad() {
        add(90, 50);
        for (int pair = 0; pair < 20; pair++) {
            times.add(Turns.of(90, 100 * MS), Turns.of(110, 200 * MS), 1);
        }
        assertThat(times.unloadedNanos()).as("loaded").isCloseTo(50 * MS, CLOSE);
        for (int pair = 0; pair < 20; pair++) {
            times.add(Turns.of(90, 100 * MS), Turns.of(110, 100 * MS), 0);
        }
        assertThat(times.unloadedNanos()).isCloseTo(100 * MS, CLOSE);
    }

    @Test
    void callsMayTakeAMultipleOfTheUnloadedTime() {
        add(10, 50);
        assertThat(Math.exp(times.boundLog())).isCloseTo(150 * MS, CLOSE);
        assertThat(times.isTooSlow(Turns.of(10, 140 * MS))).isFalse();
        assertThat(times.isTooSlow(Turns.of(10, 165 * MS))).isTrue();
        assertThat(times.isTooSlow(Turns.of(10, 165 * MS, 4, 0.9)))
                .as("may be chance")
                .isFalse();
        assertThat(times.isTooLong()).as("no deadline").isFalse();
    }

    @Test
    void callsMayTakeHalfOfTheDeadline() {
        Times bounded = new Times(75 * MS);
        bounded.add(Turns.of(10, 50 * MS), 10);
        assertThat(Math.exp(bounded.boundLog())).isCloseTo(75 * MS, CLOSE);
        assertThat(bounded.isTooLong()).isFalse();
        bounded.add(Turns.of(10, 200 * MS), 10);
        assertThat(bounded.isTooLong()).isTrue();
        assertThat(bounded.allowedNanos()).isCloseTo(75 * MS, within(1.0));
    }

    @Test
    void aTurnIsUnloadedUpToHalfMoreThanTheUnloadedTime() {
        add(10, 50);
        assertThat(times.isUnloaded(Turns.of(10, 74 * MS))).isTrue();
        assertThat(times.isUnloaded(Turns.of(10, 80 * MS))).isFalse();
    }
}
