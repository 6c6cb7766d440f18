package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TargetTimesTest {
    private static final long SECOND = 1_000_000_000;
    private final TargetTimes time = new TargetTimes();
    private long now;

    private void second(int inFlight, long answers) {
        time.add(new LoadSample(now, now + SECOND, answers, answers * 1_000, 0, 0, 0, 0, inFlight, 0, 0), true);
        now += SECOND;
    }

    @Test
    void followsFromLittlesLaw() {
        second(20, 400);
        assertThat(time.nanos()).isEqualTo(50_000_000);
        assertThat(time.inFlight()).isEqualTo(20);
    }

    @Test
    void isThatOfTheLeastLoad() {
        second(20, 400);
        second(200, 400);
        assertThat(time.nanos()).isEqualTo(500_000_000);
        assertThat(time.unloadedNanos()).isEqualTo(50_000_000);
        second(10, 100);
        assertThat(time.unloadedNanos()).as("longer with less load").isEqualTo(100_000_000);
    }

    @Test
    void isReplacedByAWindowOfTodaysLoadInTime() {
        second(20, 400);
        for (int i = 0; i < 150; i++) {
            second(100, 400);
        }
        assertThat(time.unloadedNanos()).isEqualTo(250_000_000);
    }

    @Test
    void isNotKnownBeforeTwentyAnswers() {
        second(20, 0);
        assertThat(time.isBlind()).isTrue();
        second(20, 10);
        assertThat(time.isBlind()).isFalse();
        assertThat(time.isKnown()).isFalse();
        second(20, 10);
        assertThat(time.isKnown()).isTrue();
    }
}
