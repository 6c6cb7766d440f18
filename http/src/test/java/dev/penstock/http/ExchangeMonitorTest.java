package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExchangeMonitorTest {
    private static final int CALLS = 3;
    private final ManualTicker ticker = new ManualTicker(1);

    private ExchangeClock waited(long nanos) {
        ExchangeClock clock = new ExchangeClock(ticker);
        ticker.advance(Duration.ofNanos(nanos));
        clock.permitAcquired();
        clock.leased();
        clock.sending();
        ticker.advance(Duration.ofNanos(10));
        clock.sent();
        clock.firstByte(ticker.nanos());
        clock.ended();
        return clock;
    }

    @Test
    void theTotalsAreTheSumsOfWhatWasTold() {
        List<ExchangeTimes> told = new ArrayList<>();
        ExchangeMonitor monitor = new ExchangeMonitor(told::add);
        for (int call = 1; call <= CALLS; call++) {
            monitor.note(waited(call), true);
        }
        assertThat(told).extracting(ExchangeTimes::waiting).containsExactly(1L, 2L, 3L);
        assertThat(monitor.totals())
                .containsEntry("count", 3L)
                .containsEntry("waiting", 6L)
                .containsEntry("sending", 30L)
                .containsEntry("inside", 0L);
    }

    @Test
    void whatAListenerThrowsStaysHere() {
        List<ExchangeTimes> told = new ArrayList<>();
        ExchangeMonitor monitor = new ExchangeMonitor(times -> {
            told.add(times);
            if (told.size() == 1) {
                throw new IllegalStateException("one");
            }
            throw new AssertionError("two");
        });
        monitor.note(waited(1), true);
        monitor.note(waited(1), false);
        assertThat(told).extracting(ExchangeTimes::answered).containsExactly(true, false);
        assertThat(monitor.totals()).containsEntry("count", 2L);
    }
}
