package dev.penstock.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BreakerSettings;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.kit.ManualTicker;
import dev.penstock.meter.AttemptFilter;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.Meter;
import dev.penstock.meter.MeterFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Threads that call a target which is well, then dead, then well again. */
class BreakerConcurrencyTest {
    private static final int THREADS = 4;
    private static final int CALLS = 20_000;
    private static final long PHASE_NANOS = 4_000_000_000L;

    private final ManualTicker ticker = new ManualTicker();
    private final Meter meter = new Meter(ticker);
    private final AttemptMeter attempts = new AttemptMeter(ticker, "flow");
    private final Breaker breaker = new Breaker(BreakerSettings.DEFAULTS, attempts, ticker);
    private final List<Boolean> cut = new ArrayList<>(); // the breaker tells one change at a time

    @Test
    void itsListenerHearsEachChangeOnceAndInOrder() throws Exception {
        breaker.onChange(new Breaker.Listener() {
            @Override
            public void cutOff(long now) {
                cut.add(true);
            }

            @Override
            public void resumed(long now) {
                cut.add(false);
            }
        });
        Service<String, String> attempted = new AttemptFilter<String, String>(attempts).around(this::target);
        Service<String, String> guarded =
                new BreakerFilter<String, String>(breaker, callContext -> false).around(attempted);
        Service<String, String> service = new MeterFilter<String, String>(meter).around(guarded);
        List<Thread> threads = IntStream.range(0, THREADS)
                .mapToObj(number -> Thread.ofPlatform().start(() -> call(service, new Random(number))))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(cut).hasSizeGreaterThan(10);
        for (int change = 0; change < cut.size(); change++) {
            assertThat(cut.get(change)).as("change " + change).isEqualTo(change % 2 == 0);
        }
        assertThat(breaker.state().equals("closed")).isEqualTo(cut.size() % 2 == 0);
        assertThat(meter.accounting().isSettled()).isTrue();
        assertThat(attempts.inFlight()).isZero();
        assertThat(attempts.report(0, "").times().getTotalCount()).isEqualTo(attempts.started());
    }

    private void call(Service<String, String> service, Random random) {
        for (int call = 0; call < CALLS; call++) {
            try {
                service.call("q");
            } catch (Unanswered expected) {
                // counted by the meter
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            ticker.advance(Duration.ofNanos(random.nextInt(10_000_000)));
        }
    }

    private String target(String request) throws Failed {
        if (ticker.nanos() / PHASE_NANOS % 2 == 1) {
            throw new Failed(Failed.Cause.CONNECT, "connection refused");
        }
        return "yes";
    }
}
