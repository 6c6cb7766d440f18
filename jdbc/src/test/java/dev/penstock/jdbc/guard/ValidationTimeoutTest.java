package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValidationTimeoutTest {
    private static final long MILLI = 1_000_000L;
    private final ValidationTimeout bound = new ValidationTimeout();

    @Test
    void startsFromTheConnectTime() {
        bound.connected(40 * MILLI);

        assertThat(bound.nanos()).isEqualTo(80 * MILLI);
        assertThat(bound.reason()).isEqualTo("no round trip measured yet");
    }

    @Test
    void isTheRoundTripPlusFourDeviations() {
        bound.answered(40 * MILLI);
        assertThat(bound.nanos()).isEqualTo(120 * MILLI);

        for (int i = 0; i < 100; i++) {
            bound.answered(40 * MILLI);
        }

        assertThat(bound.nanos()).isBetween(40 * MILLI, 45 * MILLI);
    }

    @Test
    void isNeverBelowTheMinimum() {
        for (int i = 0; i < 100; i++) {
            bound.answered(MILLI / 10);
        }

        assertThat(bound.nanos()).isEqualTo(ValidationTimeout.MIN);
        assertThat(bound.background()).isEqualTo(500 * MILLI);
    }

    @Test
    void lateAnswerRaisesIt() {
        bound.answered(MILLI);
        bound.answered(300 * MILLI);

        assertThat(bound.nanos()).isGreaterThan(300 * MILLI);
    }

    @Test
    void isNeverAboveOneSecond() {
        bound.connected(60_000 * MILLI);
        assertThat(bound.nanos()).isEqualTo(ValidationTimeout.MAX);

        bound.answered(60_000 * MILLI);

        assertThat(bound.nanos()).isEqualTo(ValidationTimeout.MAX);
        assertThat(bound.background()).isEqualTo(ValidationTimeout.MAX);
    }

    @Test
    void ignoresConnectTimesAfterARoundTrip() {
        bound.answered(MILLI);
        bound.connected(500 * MILLI);

        assertThat(bound.nanos()).isEqualTo(ValidationTimeout.MIN);
    }
}
