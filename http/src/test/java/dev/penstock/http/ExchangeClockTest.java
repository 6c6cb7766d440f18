package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExchangeClockTest {
    private final ManualTicker ticker = new ManualTicker(1_000);
    private final ExchangeClock clock = new ExchangeClock(ticker);

    private long after(long nanos) {
        ticker.advance(Duration.ofNanos(nanos));
        return ticker.nanos();
    }

    private void lease() {
        after(1);
        clock.permitAcquired();
        after(2);
        clock.leased();
    }

    @Test
    void everyPartOfANewConnectionsExchangeIsTold() {
        lease();
        clock.opening();
        long tcp = after(10);
        long tls = after(20);
        after(4);
        clock.opened(tcp, tls);
        after(5);
        clock.sending();
        after(30);
        clock.sent();
        long firstByte = after(40);
        clock.firstByte(firstByte);
        after(50);
        clock.ended();
        assertThat(clock.times(true)).isEqualTo(new ExchangeTimes(3, 10, 20, 30, 40, 50, 9, 162, true));
    }

    @Test
    void whoFindsNoPlaceHasWaited() {
        after(70);
        assertThat(clock.times(false)).isEqualTo(new ExchangeTimes(70, 0, 0, 0, 0, 0, 0, 70, false));
    }

    @Test
    void aConnectionThatDidNotComeAboutTookTimeToConnect() {
        lease();
        clock.opening();
        after(2_000);
        assertThat(clock.times(false)).isEqualTo(new ExchangeTimes(3, 2_000, 0, 0, 0, 0, 0, 2_003, false));
    }

    @Test
    void aTimeLimitWithoutAnAnswerWasSpentWaitingForIt() {
        lease();
        clock.sending();
        after(5);
        clock.sent();
        after(500);
        assertThat(clock.times(false)).isEqualTo(new ExchangeTimes(3, 0, 0, 5, 500, 0, 0, 508, false));
    }

    @Test
    void aTryOverAConnectionThatHadEndedCountsAsWaiting() {
        lease();
        clock.sending();
        after(7);
        clock.leased();
        clock.opening();
        after(100);
        assertThat(clock.times(false)).isEqualTo(new ExchangeTimes(10, 100, 0, 0, 0, 0, 0, 110, false));
    }

    /** The total of all targets allowed no new one, and an idle one came free meanwhile. */
    @Test
    void whoWasAboutToOpenOneAndGotAnotherHasWaited() {
        lease();
        clock.opening();
        after(40);
        clock.leased();
        clock.sending();
        after(5);
        clock.sent();
        clock.firstByte(after(50));
        clock.ended();
        assertThat(clock.times(true)).isEqualTo(new ExchangeTimes(43, 0, 0, 5, 50, 0, 0, 98, true));
    }
}
