package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.LimitController.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a limit does at its bounds and when something goes wrong; what it finds between them is shown by simulation. */
class AdaptiveLimitTest {
    private static final long MS = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private static AdaptiveLimit limit(int min, int max, Duration deadline) {
        return new AdaptiveLimit(AdaptiveLimit.INITIAL, min, max, deadline);
    }

    /** A target that works on so many calls at once, each for 100 ms. */
    private static double queueAbove(int servers, int inFlight) {
        return 100.0 * MS * Math.max(1, (double) inFlight / servers);
    }

    @ParameterizedTest
    @CsvSource({"500, 1", "500, 2", "250, 3", "2000, 4"})
    void staysAtItsUpperBoundWhileMoreWouldBeBetterStill(int max, long seed) {
        AdaptiveLimit limit = limit(1, max, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, 0, seed, inFlight -> 125.0 * MS);
        target.runFor(15 * SECOND);
        double sum = 0;
        for (int second = 0; second < 100; second++) {
            target.runFor(SECOND / 10);
            sum += limit.permits();
        }
        assertThat(sum / 100 / max).isBetween(0.95, 1.0);
        assertThat(limit.limitingFactor()).isEqualTo(LimitingFactor.UPPER_BOUND);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5 * SECOND, Long.MIN_VALUE, Long.MAX_VALUE - 5 * SECOND})
    void findsWhatATargetTakesFromAnyOriginOfTheTicker(long origin) {
        AdaptiveLimit limit = limit(1, 10_000, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, origin, 1, inFlight -> queueAbove(500, inFlight));
        target.runFor(20 * SECOND);
        assertThat(limit.permits()).isBetween(400, 750);
        assertThat(limit.learned()).isBetween(400, 750);
        assertThat(limit.limitingFactor()).isEqualTo(LimitingFactor.MEASURED);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -5 * SECOND, Long.MIN_VALUE, Long.MAX_VALUE - 60 * MS})
    void doublesBeforeTheFirstAnswersWhileRequestsComeFast(long origin) {
        AdaptiveLimit limit = limit(1, 10_000, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, origin, 1, inFlight -> 10.0 * SECOND);
        target.runFor(40 * MS);
        assertThat(limit.permits()).isEqualTo(200);
        target.runFor(80 * MS);
        assertThat(limit.permits()).isGreaterThanOrEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "7, 7", "1, 2", "1000000, 1000000"})
    void boundsMayLeaveNoChoice(int min, int max) {
        AdaptiveLimit limit = limit(min, max, Duration.ofSeconds(1));
        if (max < 10) {
            new SaturatedTarget(limit, inFlight -> 10.0 * MS).runFor(10 * SECOND);
        }
        assertThat(limit.permits()).isBetween(min, max);
    }

    @Test
    void faultsOfThisProcessNeverLowerIt() {
        AdaptiveLimit limit = limit(1, 10_000, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, inFlight -> queueAbove(500, inFlight));
        target.outcome = Outcome.IGNORED;
        target.runFor(10 * SECOND);
        assertThat(limit.permits()).isGreaterThanOrEqualTo(AdaptiveLimit.INITIAL);
        target.outcome = Outcome.SUCCESS;
        target.runFor(20 * SECOND);
        int found = limit.permits();
        target.outcome = Outcome.IGNORED;
        target.runFor(20 * SECOND);
        assertThat(limit.permits()).isBetween((int) (0.85 * found), (int) (1.15 * found));
    }

    @Test
    void slowFailuresDoNotLowerIt() {
        AdaptiveLimit limit = limit(1, 10_000, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, inFlight -> queueAbove(500, inFlight));
        target.runFor(10 * SECOND);
        target.outcome = Outcome.FAILED;
        target.runFor(10 * SECOND);
        assertThat(limit.permits()).isGreaterThan(300);
    }

    @Test
    void isCutWhereCallsTimeOutAndComesBack() {
        AdaptiveLimit limit = limit(1, 10_000, Duration.ofSeconds(1));
        SaturatedTarget target = new SaturatedTarget(limit, inFlight -> queueAbove(500, inFlight));
        target.runFor(10 * SECOND);
        target.outcome = Outcome.DROPPED;
        target.runFor(5 * SECOND);
        assertThat(limit.permits()).isLessThan(50);
        assertThat(limit.learned()).isGreaterThan(300);
        target.outcome = Outcome.SUCCESS;
        target.runFor(20 * SECOND);
        assertThat(limit.permits()).isGreaterThan(300);
    }

    /** Some calls take for ever, for instance long polls. */
    @Test
    void callsThatNeverEndDoNotStopIt() {
        AdaptiveLimit limit = limit(1, 10_000, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, inFlight -> queueAbove(500, inFlight));
        for (int time = 0; time < 50; time++) {
            for (int call = 0; call < 3; call++) {
                target.hang();
            }
            target.runFor(20 * MS);
        }
        target.runFor(20 * SECOND);
        assertThat(limit.limitingFactor()).as(limit.reason()).isEqualTo(LimitingFactor.MEASURED);
        assertThat(limit.permits()).isBetween(400, 900);
    }

    @Test
    void startsAgainFromAPin() {
        AdaptiveLimit limit = limit(1, 10_000, Duration.ZERO);
        SaturatedTarget target = new SaturatedTarget(limit, inFlight -> queueAbove(500, inFlight));
        target.runFor(10 * SECOND);
        limit.restart(50, target.now(), "starting from the pinned 50");
        assertThat(limit.permits()).isEqualTo(50);
        assertThat(limit.reason()).isEqualTo("starting from the pinned 50");
        assertThat(limit.limitingFactor()).isEqualTo(LimitingFactor.MEASURING);
        target.runFor(20 * SECOND);
        assertThat(limit.permits()).isBetween(400, 750);
    }

    @Test
    void boundsAndDeadlinesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> limit(0, 5, Duration.ZERO)).hasMessageContaining("1 <= min <= max <= 1000000");
        assertThatThrownBy(() -> limit(6, 5, Duration.ZERO)).hasMessageContaining("not min 6 and max 5");
        assertThatThrownBy(() -> limit(1, 1_000_001, Duration.ZERO)).hasMessageContaining("max 1000001");
        assertThatThrownBy(() -> limit(1, 5, Duration.ofMillis(-1))).hasMessageContaining("must not be negative");
    }
}
