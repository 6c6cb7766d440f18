package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ValidationTimeoutTest {
    private static final long MILLI = 1_000_000L;
    private final ValidationTimeout timeout = new ValidationTimeout();

    @Test
    void isTheMaximumWithoutMeasurements() {
        assertThat(timeout.nanos()).isEqualTo(100 * MILLI);
        assertThat(timeout.reason()).isEqualTo("no round trip measured yet");
    }

    @Test
    void startsFromTheConnectTime() {
        timeout.connected(15 * MILLI);

        assertThat(timeout.nanos()).isEqualTo(40 * MILLI);
    }

    @Test
    void firstConnectOfAColdProcessDoesNotCountForLong() {
        timeout.connected(900 * MILLI);
        timeout.answered(MILLI);

        assertThat(timeout.nanos()).isEqualTo(30 * MILLI);
    }

    @Test
    void stalledDatabaseDoesNotRaiseIt() {
        timeout.answered(MILLI / 10);
        timeout.answered(6_000 * MILLI);

        assertThat(timeout.nanos()).isEqualTo(30 * MILLI);
    }

    @Test
    void followsALongerPathAfterEightRoundTrips() {
        timeout.answered(MILLI / 10);
        for (int i = 0; i < 8; i++) {
            timeout.answered(40 * MILLI);
        }

        assertThat(timeout.nanos()).isEqualTo(100 * MILLI);
    }

    @Test
    void allowsTwoRoundTripsOfALongPath() {
        timeout.answered(200 * MILLI);

        assertThat(timeout.nanos()).isEqualTo(400 * MILLI);
    }
}
