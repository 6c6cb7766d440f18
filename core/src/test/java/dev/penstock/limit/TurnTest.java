package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.limit.LimitController.Outcome;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnTest {
    private static final long MS = 1_000_000;
    private static final long USUAL = 100 * MS;

    private final Turn.Totals totals = new Turn.Totals();
    private final Turn turn = new Turn(totals, 0, 10, USUAL, 0);

    private static void call(Turn turn, long start, long took, Outcome outcome) {
        turn.start(start);
        turn.end(start, start + took, outcome);
    }

    @Test
    void aFailureIsARefusalWhenItIsMuchFasterThanAnAnswer() {
        call(turn, 0, 29 * MS, Outcome.FAILED);
        call(turn, 0, 29 * MS, Outcome.DROPPED);
        call(turn, 0, 30 * MS, Outcome.FAILED);
        call(turn, 0, 30 * MS, Outcome.DROPPED);
        call(turn, 0, 1 * MS, Outcome.IGNORED);
        call(turn, 0, 1 * MS, Outcome.SUCCESS);
        assertThat(turn.refused()).isEqualTo(2);
        assertThat(totals.refused()).isEqualTo(2);
        assertThat(totals.refusedNanos()).isEqualTo(58 * MS);
        assertThat(turn.dropped()).isEqualTo(1);
        assertThat(turn.answered()).isEqualTo(1);
        assertThat(turn.timed()).isEqualTo(2);
        assertThat(turn.hasEnded(1)).isTrue();
    }

    @Test
    void whileNoTimeIsKnownAnotherBoundSaysWhatIsARefusal() {
        Turn first = new Turn(totals, 0, 10, 0, 5 * MS);
        call(first, 0, 4 * MS, Outcome.FAILED);
        call(first, 0, 5 * MS, Outcome.FAILED);
        assertThat(first.refused()).isEqualTo(1);
    }

    @Test
    void arrivedAreThoseThatBeganAndThoseThatFoundNoPermit() {
        call(turn, 0, 1, Outcome.SUCCESS);
        turn.block();
        turn.block();
        assertThat(turn.blocked()).isEqualTo(2);
        assertThat(totals.blocked()).isEqualTo(2);
        assertThat(turn.arrived()).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -7_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE - 50 * MS})
    void theCostOfEndedCallsIsTheirMeanTime(long origin) {
        Turn other = new Turn(totals, origin, 10, USUAL, 0);
        call(other, origin, 100 * MS, Outcome.SUCCESS);
        call(other, origin + 40 * MS, 300 * MS, Outcome.SUCCESS);
        assertThat(other.cost(origin + 400 * MS)).isEqualTo(200.0 * MS);
        assertThat(other.meanLog()).isCloseTo(Math.log(200.0 * MS), within(1e-9));
    }

    @Test
    void callsThatStillRunCostWhatTheyTookSoFar() {
        call(turn, 0, 100 * MS, Outcome.SUCCESS);
        turn.start(50 * MS);
        assertThat(turn.hasEnded(0.98)).isFalse();
        assertThat(turn.hasEnded(0.5)).isTrue();
        assertThat(turn.cost(250 * MS)).isEqualTo(300.0 * MS);
        turn.end(50 * MS, 250 * MS, Outcome.SUCCESS);
        assertThat(turn.cost(9_999 * MS)).isEqualTo(150.0 * MS);
    }

    @Test
    void refusalsAddToTheCostOfTheOthers() {
        call(turn, 0, 100 * MS, Outcome.SUCCESS);
        call(turn, 0, 10 * MS, Outcome.FAILED);
        assertThat(turn.cost(100 * MS)).isEqualTo(110.0 * MS);
    }

    @Test
    void aSingleLongTimeCountsAsAMultipleOfTheUsualOne() {
        call(turn, 0, 100_000 * MS, Outcome.SUCCESS);
        assertThat(turn.meanLog()).isCloseTo(Math.log(8.0 * USUAL), within(1e-9));
    }

    @Test
    void theVarianceIsThatOfTheMean() {
        Turn even = Turns.of(10, 100 * MS, 100, 0);
        Turn uneven = Turns.of(10, 100 * MS, 100, 0.5);
        assertThat(even.variance()).isLessThan(1e-5);
        assertThat(uneven.variance()).isCloseTo(0.25 / 100, within(1e-4));
    }

    @Test
    void aTurnWithoutCallsHasFiniteNumbers() {
        assertThat(turn.hasEnded(1)).isTrue();
        assertThat(turn.cost(0)).isEqualTo(1);
        assertThat(turn.meanLog()).isZero();
        assertThat(turn.variance()).isFinite();
    }

    @Property(tries = 30)
    void countsOfManyThreadsAddUp(@ForAll @Size(min = 1, max = 500) List<Outcome> outcomes) throws Exception {
        int threads = 4;
        Turn.Totals all = new Turn.Totals();
        Turn shared = new Turn(all, 0, 10, 0, 0);
        List<Thread> callers = IntStream.range(0, threads)
                .mapToObj(caller -> Thread.ofPlatform().start(() -> {
                    for (Outcome outcome : outcomes) {
                        shared.block();
                        call(shared, caller, 1_000, outcome);
                    }
                }))
                .toList();
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(shared.started()).isEqualTo((long) threads * outcomes.size());
        assertThat(shared.blocked()).isEqualTo((long) threads * outcomes.size());
        assertThat(shared.answered()).isEqualTo((long) threads * Collections.frequency(outcomes, Outcome.SUCCESS));
        assertThat(all.answered()).isEqualTo(shared.answered());
        assertThat(shared.dropped()).isEqualTo((long) threads * Collections.frequency(outcomes, Outcome.DROPPED));
        assertThat(shared.hasEnded(1)).isTrue();
        assertThat(shared.timed() == 0 ? 1_000 : Math.exp(shared.meanLog())).isCloseTo(1_000, within(1e-6));
        assertThat(shared.cost(5_000)).isEqualTo(1_000.0 * threads * outcomes.size() / Math.max(1, shared.timed()));
    }

    @Test
    void aTurnTakesSoManyCallsAndTheNextOneTheOthers() {
        Turn next = new Turn(totals, 7, 10, 0, 0);
        Turn first = new Turn(next, 2);
        assertThat(first.from()).isEqualTo(7);
        first.open().start(7);
        assertThat(first.open()).isSameAs(first);
        first.open().start(8);
        assertThat(first.open()).isSameAs(next);
        assertThat(next.open()).isSameAs(next);
    }

    /** Those that end first are the shortest: their mean alone is a tenth of it where times are exponential. */
    @Test
    void theMeanTimeOfAllIsKnownBeforeMostHaveEnded() {
        Turn exponential = new Turn(totals, 0, 100, 0, 0);
        Turn equal = new Turn(totals, 0, 100, 0, 0);
        for (int call = 0; call < 100; call++) {
            exponential.start(0);
            equal.start(0);
        }
        long now = 0;
        for (int call = 0; call < 25; call++) {
            now = Math.round(-Math.log(1 - (call + 0.5) / 100) * 100 * MS);
            exponential.end(0, now, Outcome.SUCCESS);
            equal.end(0, 100 * MS, Outcome.SUCCESS);
        }
        assertThat(exponential.expected(now)).isBetween(40.0 * MS, 100.0 * MS);
        assertThat(equal.expected(100 * MS)).isCloseTo(100.0 * MS, within(1.0 * MS));
    }
}
