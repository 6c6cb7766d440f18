package dev.penstock.limit;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Busy;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.meter.AttemptFilter;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.Meter;
import dev.penstock.meter.MeterFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a limit tells its controller when the meter of its flow counts the answers. */
@Timeout(120)
class MeteredLimitTest {
    private static final long MS = 1_000_000;

    private final ManualTicker ticker = new ManualTicker();
    private final AttemptMeter attempts = new AttemptMeter(ticker);
    private final Kept controller = new Kept();
    private final Limit limit = Limits.of(controller, QueueSettings.automatic(), attempts, ticker, () -> 0);

    @Test
    void anAnswerIsReportedWithItsTimeInTheIntervalThatItEnds() throws Exception {
        Service<Object, Object> flow = flow(20);
        flow.call("one");
        flow.call("two");

        assertThat(controller.samples)
                .containsExactly(
                        new LoadSample(0, 20 * MS, 1, 20 * MS, 0, 0, 0, 0, 0, 0, 0),
                        new LoadSample(20 * MS, 40 * MS, 1, 20 * MS, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void countsEveryEndingOnceAndAsAloneItWould() throws Exception {
        Service<Object, Object> flow = flow(7);
        flow.call("fine");
        flow.call((Busy) () -> true);
        flow.call((Busy) () -> false);
        fails(flow, new Failed(Failed.Cause.UNDONE, ""));
        fails(flow, new Failed(Failed.Cause.REFUSED, ""));
        fails(flow, new Unknown(Unknown.Cause.TIMEOUT, ""));
        fails(flow, new Rejected(Rejected.Cause.POOL, ""));
        fails(flow, new Unknown(Unknown.Cause.INTERRUPTED, ""));
        assertThatThrownBy(() -> flow.call(new IllegalStateException("HTTP 503")))
                .isInstanceOf(Unknown.class);
        flush();

        // The last answered one is the permit of the flush.
        assertThat(sum(LoadSample::answered)).isEqualTo(2 + 1);
        assertThat(sum(LoadSample::answeredNanos)).isEqualTo(2 * 7 * MS + 20 * MS);
        assertThat(sum(LoadSample::dropped)).isEqualTo(2);
        assertThat(sum(LoadSample::droppedNanos)).isEqualTo(2 * 7 * MS);
        assertThat(sum(LoadSample::failed)).isEqualTo(3);
        assertThat(sum(LoadSample::failedNanos)).isEqualTo(3 * 7 * MS);
    }

    @Test
    void aTargetThatIsAlwaysBusyIsNeverToldToAnswer() throws Exception {
        Service<Object, Object> flow = flow(20);
        for (int call = 0; call < 5; call++) {
            flow.call((Busy) () -> true);
        }

        assertThat(controller.samples).hasSize(5).allSatisfy(sample -> {
            assertThat(sample.answered()).isZero();
            assertThat(sample.answeredNanos()).isZero();
            assertThat(sample.dropped()).isEqualTo(1);
        });
    }

    @Test
    void losesNothingBetweenManyThreads() throws Exception {
        int threads = 4;
        int each = 20_000;
        Service<Object, Object> flow = flow(0);
        CountDownLatch done = new CountDownLatch(threads);
        for (int thread = 0; thread < threads; thread++) {
            Thread.ofPlatform().start(() -> {
                try {
                    for (int call = 0; call < each; call++) {
                        boolean busy = call % 4 == 0;
                        flow.call((Busy) () -> busy);
                        ticker.advance(ofMillis(call % 500 == 0 ? 10 : 0));
                    }
                } catch (Exception unexpected) {
                    throw new AssertionError(unexpected);
                } finally {
                    done.countDown();
                }
            });
        }
        done.await();
        flush();

        assertThat(sum(LoadSample::dropped)).isEqualTo(threads * each / 4);
        assertThat(sum(LoadSample::answered)).isEqualTo(threads * each * 3 / 4 + 1);
        assertThat(limit.queue.out()).isZero();
    }

    private Service<Object, Object> flow(int millis) {
        Service<Object, Object> target = request -> {
            ticker.advance(ofMillis(millis));
            if (request instanceof Exception ending) {
                throw ending;
            }
            return request;
        };
        Service<Object, Object> attempted = new AttemptFilter<Object, Object>(attempts).around(target);
        Service<Object, Object> limited = Limits.<Object, Object>filter(limit).around(attempted);
        return new MeterFilter<Object, Object>(new Meter(ticker)).around(limited);
    }

    /** Ends the stretch by a permit that is taken by hand, which no meter counts. */
    private void flush() throws Exception {
        Permit permit = Permit.of(limit);
        ticker.advance(ofMillis(20));
        permit.success();
    }

    private long sum(ToLongFunction<LoadSample> of) {
        return controller.samples.stream().mapToLong(of).sum();
    }

    private static void fails(Service<Object, Object> flow, Exception ending) {
        assertThatThrownBy(() -> flow.call(ending)).isSameAs(ending);
    }

    private static final class Kept implements LimitController {
        private final List<LoadSample> samples = Collections.synchronizedList(new ArrayList<>());

        @Override
        public int permits() {
            return 8;
        }

        @Override
        public String reason() {
            return "given";
        }

        @Override
        public void sample(LoadSample sample) {
            samples.add(sample);
        }
    }
}
