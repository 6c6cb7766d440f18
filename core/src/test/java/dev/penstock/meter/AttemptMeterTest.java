package dev.penstock.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AttemptMeterTest {
    private final ManualTicker ticker = new ManualTicker();
    private final AttemptMeter attempts = new AttemptMeter(ticker, "flow");

    @Test
    void countsAttemptsApartFromTransactions() throws Exception {
        Meter meter = new Meter(ticker);
        Service<Exception, String> twice = once(request -> {
            ticker.advance(Duration.ofMillis(1));
            if (request instanceof Failed) {
                throw request;
            }
            return "yes";
        });
        Service<Exception, String> flow = new MeterFilter<Exception, String>(meter).around(request -> {
            assertThatThrownBy(() -> twice.call(request)).isSameAs(request);
            ticker.advance(Duration.ofMillis(7));
            CallContext.required().tick();
            return twice.call(new Exception());
        });
        flow.call(new Failed(Failed.Cause.CONNECT, "refused"));

        assertThat(attempts.started()).isEqualTo(2);
        assertThat(attempts.inFlight()).isZero();
        assertThat(attempts.answered()).isEqualTo(1);
        assertThat(attempts.answeredNanos()).isEqualTo(1_000_000);
        assertThat(attempts.connectFailures()).isEqualTo(1);
        assertThat(attempts.report(0, "").times().getTotalCount()).isEqualTo(2);
        assertThat(attempts.report(0, "").note()).isEqualTo("2 attempts, 0 in flight");
        assertThat(meter.accounting().answered()).isEqualTo(1);
        assertThat(meter.report().times().getMaxValue()).isBetween(8_900_000L, 9_100_000L);
    }

    @Test
    void anAttemptIsInFlightUntilItsTargetReturns() throws Exception {
        new MeterFilter<Exception, String>(new Meter(ticker))
                .around(once(request -> {
                    assertThat(attempts.inFlight()).isEqualTo(1);
                    return "yes";
                }))
                .call(new Exception());
        assertThat(attempts.inFlight()).isZero();
    }

    @Test
    void anExceptionThatIsNoEndingIsUnknown() {
        Service<Exception, String> flow = new MeterFilter<Exception, String>(new Meter(ticker)).around(once(request -> {
            throw request;
        }));
        assertThatThrownBy(() -> flow.call(new IllegalStateException("bug")))
                .isInstanceOfSatisfying(
                        Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.ERROR));
        assertThat(attempts.inFlight()).isZero();
        assertThat(attempts.started()).isEqualTo(1);
    }

    private Service<Exception, String> once(Service<Exception, String> target) {
        return new AttemptFilter<Exception, String>(attempts).around(target);
    }
}
