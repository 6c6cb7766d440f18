package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.measure.LoadResult;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class KneeRoundsTest {
    /** 400 calls in 2 s. */
    private static final LoadResult MEASURED = Findings.roundTrip(20);

    private static double throughput(int concurrency) {
        return KneeRounds.observation(new KneeSearch.Level(concurrency, 0.1, 2), MEASURED, Duration.ZERO)
                .throughput();
    }

    @Test
    void answersASecondFollowFromTheirTime() {
        assertThat(throughput(4)).isCloseTo(4 / 0.02, within(1.0));
    }

    @Test
    void callersThatHungDidNotCall() {
        assertThat(throughput(8)).isCloseTo((400 + 8) / 2.0, within(1.0)).isLessThan(8 / 0.02);
    }

    @Test
    void callsThatStartedLateAreNotedIfTheyMoveTheMean() {
        LoadResult late = late(MEASURED, 17);
        KneeObservation observation = KneeRounds.observation(new KneeSearch.Level(4, 0.1, 2), late, Duration.ZERO);
        assertThat(observation.lagShare()).isCloseTo(0.15, within(0.01));
        assertThat(observation.isLate()).isTrue();
        assertThat(observation.showsCapacity()).isFalse();
        assertThat(KneeRounds.observation(new KneeSearch.Level(4, 0.1, 2), late(MEASURED, 19), Duration.ZERO)
                        .isLate())
                .isFalse();
        assertThat(KneeRounds.observation(new KneeSearch.Level(4, 0.1, 2), MEASURED, Duration.ZERO)
                        .lagShare())
                .isZero();
    }

    private static LoadResult late(LoadResult of, int serviceMillis) {
        return new LoadResult(
                of.load(),
                of.windowSeconds(),
                of.counts(),
                of.tps(),
                of.response(),
                of.failures(),
                Findings.roundTrip(serviceMillis).service(),
                of.lag(),
                of.inFlightMax(),
                of.ended(),
                of.process(),
                of.validity(),
                of.slices(),
                of.labels(),
                null);
    }
}
