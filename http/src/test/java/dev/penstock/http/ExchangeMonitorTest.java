package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.CallContext;
import dev.penstock.Observation;
import dev.penstock.Observation.Exchange;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExchangeMonitorTest {
    private static final int CALLS = 3;
    private static final HttpCall CALL = HttpCall.post("/", "abc");
    private static final HttpAnswer ANSWER = HttpAnswer.of(200, "done");
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
        ExchangeMonitor monitor = new ExchangeMonitor("http://a", told::add);
        for (int call = 1; call <= CALLS; call++) {
            monitor.note(waited(call).times(true), CALL, ANSWER);
        }
        assertThat(told).extracting(ExchangeTimes::waiting).containsExactly(1L, 2L, 3L);
        assertThat(monitor.totals())
                .containsEntry("count", 3L)
                .containsEntry("waiting", 6L)
                .containsEntry("sending", 30L)
                .containsEntry("inside", 0L);
    }

    @Test
    void theObservationOfTheTransactionGetsEachExchange() {
        List<Exchange> seen = new ArrayList<>();
        ExchangeMonitor monitor = new ExchangeMonitor("http://a", null);
        CallContext context = CallContext.beginObserved(ticker);
        try {
            context.observe(new Observation() {
                @Override
                public void exchanged(Exchange exchange) {
                    seen.add(exchange);
                }
            });
            monitor.note(waited(5).times(true), CALL, ANSWER);
            monitor.note(waited(5).times(false), CALL, null);
        } finally {
            context.end();
        }
        assertThat(seen).extracting(Exchange::address).containsExactly("http://a", "http://a");
        assertThat(seen).extracting(Exchange::sent).containsExactly(3L, 3L);
        assertThat(seen).extracting(Exchange::received).containsExactly(4L, 0L);
        assertThat(seen.getFirst().parts()).containsExactly(Map.entry("pool", 5L), Map.entry("send", 10L));
    }

    @Test
    void whatAListenerThrowsStaysHere() {
        List<ExchangeTimes> told = new ArrayList<>();
        ExchangeMonitor monitor = new ExchangeMonitor("http://a", times -> {
            told.add(times);
            if (told.size() == 1) {
                throw new IllegalStateException("one");
            }
            throw new AssertionError("two");
        });
        monitor.note(waited(1).times(true), CALL, ANSWER);
        monitor.note(waited(1).times(false), CALL, null);
        assertThat(told).extracting(ExchangeTimes::answered).containsExactly(true, false);
        assertThat(monitor.totals()).containsEntry("count", 2L);
    }
}
