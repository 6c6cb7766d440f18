package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.limit.LimitController.Outcome;
import dev.penstock.limit.LoadSamples.Sample;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadSamplesTest {
    private static final long INTERVAL = LoadSamples.INTERVAL_NANOS;

    private final List<Sample> taken = Collections.synchronizedList(new ArrayList<>());
    private final LoadSamples samples = new LoadSamples(0, taken::add);

    @Test
    void sumsUpAnIntervalWhenTheFirstCallAfterItFinishes() {
        samples.finished(1, 1_000_000, 5, Outcome.SUCCESS);
        samples.finished(2, 3_000_000, 5, Outcome.SUCCESS);
        samples.finished(3, 7_000_000, 5, Outcome.DROPPED);
        samples.finished(4, 1, 5, Outcome.IGNORED);
        samples.finished(INTERVAL - 1, 2_000, 5, Outcome.FAILED);
        assertThat(taken).isEmpty();

        samples.finished(INTERVAL, 2_000_000, 4, Outcome.SUCCESS);

        assertThat(taken).containsExactly(new Sample(0, INTERVAL, 3, 6_000_000, 4, 13_000_000, 4));
    }

    @Test
    void startsTheNextIntervalWithNothing() {
        samples.finished(INTERVAL, 1_000, 1, Outcome.DROPPED);
        samples.finished(2 * INTERVAL, 1_000, 1, Outcome.SUCCESS);

        assertThat(taken).hasSize(2).last().isEqualTo(new Sample(INTERVAL, 2 * INTERVAL, 1, 1_000, 1, 1_000, 1));
    }

    @Test
    void anIntervalWithoutAnswersIsASampleToo() {
        samples.finished(INTERVAL, 1_000, 3, Outcome.FAILED);

        assertThat(taken).containsExactly(new Sample(0, INTERVAL, 0, 0, 0, 0, 3));
    }

    @ParameterizedTest
    @ValueSource(longs = {-5_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE - INTERVAL / 2})
    void anyOriginOfTheTickerWillDo(long origin) {
        LoadSamples other = new LoadSamples(origin, taken::add);
        other.finished(origin + INTERVAL - 1, 1_000, 1, Outcome.SUCCESS);
        assertThat(taken).isEmpty();
        other.finished(origin + INTERVAL, 1_000, 1, Outcome.SUCCESS);
        assertThat(taken).containsExactly(new Sample(origin, origin + INTERVAL, 2, 2_000, 2, 2_000, 1));
    }

    @Test
    void losesNothingBetweenManyThreads() throws InterruptedException {
        int threads = 4;
        int each = 50_000;
        CountDownLatch done = new CountDownLatch(threads);
        for (int thread = 0; thread < threads; thread++) {
            Thread.ofPlatform().start(() -> {
                for (int call = 0; call < each; call++) {
                    samples.finished(call * 1_000L, 1_024, 1, Outcome.values()[call % 4]);
                }
                done.countDown();
            });
        }
        done.await();
        samples.finished(Long.MAX_VALUE / 2, 0, 0, Outcome.IGNORED);

        assertThat(taken.stream().mapToLong(Sample::answered).sum()).isEqualTo((long) threads * each / 4);
        assertThat(taken.stream().mapToLong(Sample::finished).sum()).isEqualTo((long) threads * each / 2);
    }
}
