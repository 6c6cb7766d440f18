package dev.penstock.races.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.races.collapse.SimulatedApi.ItemSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SimulatedApiTest {
    private static final long SECOND = 1_000_000_000L;

    private final Clock clock = new Clock();

    /** Advances when someone waits. */
    private static final class Clock implements Ticker {
        volatile long now = Long.MAX_VALUE - 1; // readings overflow during the test

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void parkUntil(long nanos) {
            now = nanos;
        }
    }

    private SimulatedApi api(SimulatedCallTime time) {
        SimulatedApi api = new SimulatedApi(time, 1, clock);
        api.measure(clock.now, SECOND);
        return api;
    }

    @Test
    void callTimeDoesNotDependOnTheBatchSize() throws Exception {
        SimulatedApi api = api(SimulatedCallTime.ofMillis(500));
        long before = clock.now;

        assertThat(api.ask(3L)).isEqualTo(SimulatedApi.answerTo(3));
        assertThat(clock.now - before).isEqualTo(SECOND / 2);
        assertThat(api.ask(List.of(5L, 4L))).containsExactly(SimulatedApi.answerTo(5), SimulatedApi.answerTo(4));
        assertThat(clock.now - before).isEqualTo(SECOND);
    }

    @Test
    void asynchronousCallGetsTheSameAnswerLater() throws Exception {
        List<Long> right = List.of(SimulatedApi.answerTo(1), SimulatedApi.answerTo(2));

        assertThat(api(SimulatedCallTime.ofMillis(500))
                        .askLater(List.of(1L, 2L))
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS))
                .isEqualTo(right);
        assertThat(api(SimulatedCallTime.ofMillis(0))
                        .askLater(List.of(1L, 2L))
                        .toCompletableFuture()
                        .resultNow())
                .isEqualTo(right);
    }

    @Test
    void answersAreUnique() {
        assertThat(LongStream.range(0, 10_000)
                        .map(SimulatedApi::answerTo)
                        .distinct()
                        .count())
                .isEqualTo(10_000);
    }

    @Test
    void countsMeasuredCallsAndAllItems() throws Exception {
        SimulatedApi api = api(SimulatedCallTime.ofMillis(500));
        api.ask(0L);
        api.ask(List.of(1L, 2L, 3L));
        clock.now += 1; // the window is over
        api.ask(List.of(3L, 4L));

        assertThat(api.metrics())
                .isEqualTo(Map.of(
                        "downstream_calls_per_s", 2.0, "batch_mean", 2.0, "in_flight_max", 1.0, "duplicates", 1.0));
        assertThat(api.received()).isEqualTo(5);
    }

    @Test
    void interruptedCallGetsNoAnswer() {
        SimulatedApi api = api(SimulatedCallTime.ofMillis(500));
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> api.ask(1L)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(api.received()).isZero();
    }

    @Test
    void callTimesAreUniformAndDependOnTheSeed() {
        SimulatedCallTime spread = SimulatedCallTime.ofMillis(490, 510);
        long[] times =
                LongStream.range(0, 2_000).map(i -> spread.nanos(7, i, 1)).toArray();

        assertThat(LongStream.of(times).min().orElseThrow()).isBetween(490_000_000L, 490_200_000L);
        assertThat(LongStream.of(times).max().orElseThrow()).isBetween(509_800_000L, 510_000_000L);
        assertThat(LongStream.of(times).average().orElseThrow()).isBetween(499_500_000.0, 500_500_000.0);
        assertThat(spread.nanos(7, 3, 1)).isEqualTo(times[3]);
        assertThat(spread.nanos(8, 3, 1)).isNotEqualTo(times[3]);
        assertThat(spread.mean()).isEqualTo(Duration.ofMillis(500));
        assertThatIllegalArgumentException().isThrownBy(() -> SimulatedCallTime.ofMillis(2, 1));
    }

    @Test
    void itemSetDetectsDuplicatesOnEveryPage() {
        ItemSet items = new ItemSet();
        LongStream.of(0, 63, 64, 65_535, 65_536, 10_000_000, 64).forEach(items::add);

        assertThat(items.size()).isEqualTo(6);
        assertThat(items.duplicates()).isEqualTo(1);
    }
}
