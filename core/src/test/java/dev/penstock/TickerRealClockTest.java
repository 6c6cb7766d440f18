package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The only test of core that goes by the JVM's own clock: that the system ticker waits, and does not wait for the past. */
@Timeout(120)
class TickerRealClockTest {
    @Test
    void theSystemTickerWaitsUntilTheGivenReading() {
        long until = Ticker.SYSTEM.nanos() + 2_000_000;
        while (Ticker.SYSTEM.nanos() - until < 0) {
            Ticker.SYSTEM.parkUntil(until);
        }
        assertThat(System.nanoTime() - until).isNotNegative();
    }

    @Test
    void theSystemTickerDoesNotWaitForAReadingThatHasPassed() {
        long past = System.nanoTime() - 1;
        Ticker.SYSTEM.parkUntil(past);
        assertThat(Ticker.SYSTEM.nanos() - past).isPositive();
    }
}
