package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoadSamplesTest {
    private static final long STRETCH = LoadSamples.INTERVAL_NANOS;

    private final List<LoadSample> taken = Collections.synchronizedList(new ArrayList<>());
    private final LoadSamples samples = new LoadSamples(0, taken::add);

    @Test
    void sumsUpAStretchWhenTheFirstAttemptAfterItFinishes() {
        samples.finished(1, 1_000_000, 5, LimitController.Outcome.SUCCESS);
        samples.finished(2, 3_000_000, 5, LimitController.Outcome.SUCCESS);
        samples.finished(3, 7_000_000, 5, LimitController.Outcome.DROPPED);
        samples.finished(4, 1, 5, LimitController.Outcome.IGNORED);
        samples.finished(5, 2_000, 5, LimitController.Outcome.FAILED);
        samples.finished(6, 3_000, 5, LimitController.Outcome.FAILED);
        samples.blocked();
        assertThat(taken).isEmpty();

        samples.finished(STRETCH, 2_000_000, 4, LimitController.Outcome.SUCCESS);

        assertThat(taken).singleElement().satisfies(sample -> {
            assertThat(sample.from()).isZero();
            assertThat(sample.to()).isEqualTo(STRETCH);
            assertThat(sample.answered()).isEqualTo(3);
            assertThat(sample.answeredNanos()).isEqualTo(6_000_000L);
            assertThat(sample.dropped()).isEqualTo(1);
            assertThat(sample.droppedNanos()).isEqualTo(7_000_000);
            assertThat(sample.failed()).isEqualTo(2);
            assertThat(sample.failedNanos()).isEqualTo(5_000);
            assertThat(sample.inFlight()).isEqualTo(4);
            assertThat(sample.blocked()).isEqualTo(1);
        });
    }

    @Test
    void startsTheNextStretchWithNothing() {
        samples.finished(1, 1_000, 1, LimitController.Outcome.FAILED);
        samples.finished(STRETCH, 1_000, 1, LimitController.Outcome.DROPPED);
        samples.finished(2 * STRETCH, 1_000, 1, LimitController.Outcome.SUCCESS);

        assertThat(taken).hasSize(2);
        assertThat(taken.get(1)).isEqualTo(new LoadSample(STRETCH, 2 * STRETCH, 1, 1_000, 0, 0, 0, 0, 1, 0, 0));
    }

    @Test
    void takesWhatAMeterCountedInTheStretch() {
        AtomicLong answers = new AtomicLong(70);
        AtomicLong nanos = new AtomicLong(7_000);
        LoadSamples metered = new LoadSamples(0, answers::get, nanos::get, taken::add);
        answers.addAndGet(3);
        nanos.addAndGet(900);
        metered.finished(1, 50, 2, LimitController.Outcome.SUCCESS);
        metered.closeIfDue(STRETCH, 2);
        answers.addAndGet(1);
        metered.closeIfDue(2 * STRETCH, 1);

        assertThat(taken)
                .containsExactly(
                        new LoadSample(0, STRETCH, 4, 950, 0, 0, 0, 0, 2, 0, 0),
                        new LoadSample(STRETCH, 2 * STRETCH, 1, 0, 0, 0, 0, 0, 1, 0, 0));
    }

    @Test
    void whatIsTakenBackBeforeTheMeterCountsItIsToldAsNothing() {
        AtomicLong answers = new AtomicLong();
        AtomicLong nanos = new AtomicLong();
        LoadSamples metered = new LoadSamples(0, answers::get, nanos::get, taken::add);
        metered.subtractAnswer(500);
        metered.closeIfDue(STRETCH, 1);
        answers.addAndGet(2);
        nanos.addAndGet(800);
        metered.closeIfDue(2 * STRETCH, 1);

        assertThat(taken)
                .containsExactly(
                        new LoadSample(0, STRETCH, 0, 0, 0, 0, 0, 0, 1, 0, 0),
                        new LoadSample(STRETCH, 2 * STRETCH, 1, 300, 0, 0, 0, 0, 1, 0, 0));
    }

    @Test
    void sumsThatRunOverSpoilNothing() {
        AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
        LoadSamples metered = new LoadSamples(0, () -> 0, nanos::get, taken::add);
        nanos.addAndGet(300);
        metered.closeIfDue(STRETCH, 1);

        assertThat(taken.getFirst().answeredNanos()).isEqualTo(300);
    }

    @Test
    void losesNothingBetweenManyThreads() throws InterruptedException {
        int threads = 4;
        int each = 50_000;
        CountDownLatch done = new CountDownLatch(threads);
        for (int thread = 0; thread < threads; thread++) {
            Thread.ofPlatform().start(() -> {
                for (int attempt = 0; attempt < each; attempt++) {
                    samples.finished(attempt * 1_000L, 1_024, 1, LimitController.Outcome.values()[attempt % 4]);
                    samples.blocked();
                }
                done.countDown();
            });
        }
        done.await();
        samples.finished(Long.MAX_VALUE / 2, 0, 0, LimitController.Outcome.IGNORED);

        long finished = taken.stream()
                .mapToLong(sample -> sample.answered() + sample.dropped() + sample.failed())
                .sum();
        assertThat(finished).as("all but those that are ignored").isEqualTo((long) threads * each * 3 / 4);
        assertThat(taken.stream().mapToLong(LoadSample::blocked).sum()).isEqualTo((long) threads * each);
    }
}
