package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusalCapTest {
    private static final long STRETCH = 10_000_000;
    private static final double TYPICAL = 50e6;

    private final RefusalCap refusals = new RefusalCap();
    private long now;
    private int permits = 200;

    RefusalCapTest() {
        refusals.begin(0);
    }

    /** Ten answers in a stretch, and so many fast failures. */
    private void stretch(int inFlight, long failed) {
        LoadSample sample = new LoadSample(
                now, now + STRETCH, 10, Math.round(10 * TYPICAL), 0, 0, failed, failed * 1_000_000, inFlight, 0, 1);
        permits = refusals.next(sample, permits, 1, TYPICAL);
        now += STRETCH;
    }

    private void stretches(int count, int inFlight, long failed) {
        for (int i = 0; i < count; i++) {
            stretch(inFlight, failed);
        }
    }

    @Test
    void staysAtWhatTheTargetLetsInWhenFewerInFlightAreNotRefused() {
        stretch(30, 5);
        assertThat(permits).as("tried").isEqualTo(30);
        stretches(20, 30, 0);
        assertThat(refusals.cap()).isEqualTo(30);
    }

    @Test
    void goesBackWhenFewerInFlightFailAsMuch() {
        stretch(30, 5);
        stretches(20, 30, 5);
        assertThat(permits).isEqualTo(200);
        assertThat(refusals.isCapped()).isFalse();
        stretches(2_000, 30, 5);
        assertThat(permits).as("ignored for 30 s").isEqualTo(200);
    }

    @Test
    void isRaisedInGrowingStepsWhileNothingIsRefused() {
        stretch(30, 5);
        stretches(400, 300, 0);
        assertThat(permits).isGreaterThan(100);
    }

    @Test
    void goesBackAtTheFirstRefusalsAfterARaise() {
        stretch(30, 5);
        while (permits <= 30) {
            stretch(30, 0);
        }
        assertThat(permits).isEqualTo(31);
        stretches(3, 31, 5);
        assertThat(permits).isEqualTo(30);
        stretches(150, 30, 0);
        assertThat(permits).as("left alone for 2 s").isEqualTo(30);
    }

    @Test
    void slowFailuresAreNoRefusals() {
        LoadSample slow =
                new LoadSample(0, STRETCH, 10, Math.round(10 * TYPICAL), 0, 0, 10, Math.round(10 * TYPICAL), 30, 0, 1);
        assertThat(refusals.next(slow, 200, 1, TYPICAL)).isEqualTo(200);
    }
}
