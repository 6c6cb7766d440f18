package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairSearchTest {
    private final PairSearch search = new PairSearch();

    /** Pairs at a target whose times depend on the number in flight; the last level. */
    private double search(double level, int pairs, DoubleUnaryOperator nanos) {
        double now = level;
        for (int pair = 0; pair < pairs; pair++) {
            now = next(now, nanos);
        }
        return now;
    }

    private double next(double level, DoubleUnaryOperator nanos) {
        int few = (int) Math.max(1, Math.round(search.beside(level, -1)));
        int many = (int) Math.round(search.beside(level, 1));
        search.add(Turns.of(few, nanos.applyAsDouble(few)), Turns.of(many, nanos.applyAsDouble(many)), 0);
        double next = Math.max(1, search.next(level, many, 0));
        search.moved(level, next);
        return next;
    }

    private static double power(double inFlight, double power) {
        return 1e8 * Math.pow(inFlight, power);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 2, 3, 10, 1_000})
    void goesUpWhereCallsTakeNoLonger(double level) {
        double first = next(level, inFlight -> 1e8);
        assertThat(first).isGreaterThan(level);
        assertThat(search(first, 10, inFlight -> 1e8)).isGreaterThan(8 * level);
    }

    @Test
    void goesDownWhereMoreInFlightGivesFewerAnswers() {
        double first = next(1_000, inFlight -> power(inFlight, 2));
        assertThat(first).isLessThan(1_000);
        assertThat(search(first, 20, inFlight -> power(inFlight, 2))).isLessThan(250);
    }

    @ParameterizedTest
    @ValueSource(doubles = {20, 300, 1_000})
    void settlesWhereMoreInFlightGivesNoMoreAnswers(double start) {
        double level = search(start, 60, inFlight -> 1e8 * Math.max(1, inFlight / 170));
        for (int pair = 0; pair < 20; pair++) {
            level = next(level, inFlight -> 1e8 * Math.max(1, inFlight / 170));
            assertThat(level).isBetween(140.0, 220.0);
        }
    }

    /** Where more in flight gives neither more nor less, nothing else leads down. */
    @Test
    void leavesAPlateauWhereCallsTakeMuchLongerThanWithoutLoad() {
        PairSearch calm = new PairSearch();
        PairSearch slow = new PairSearch();
        Turn few = Turns.of(90, 90e6);
        Turn many = Turns.of(110, 110e6);
        calm.add(few, many, 0);
        slow.add(few, many, 0);
        double unloaded = calm.next(100, 110, Math.log(1.4));
        assertThat(unloaded).isBetween(90.0, 100.0);
        assertThat(slow.next(100, 110, Math.log(3))).isLessThan(unloaded - 5);
    }

    @Test
    void goesAtMostHalfOfTheWayToANumberThatWasTooHigh() {
        search.tooHigh(200);
        double level = next(100, inFlight -> 1e8);
        // Half of the logarithmic way; the bound has faded by a tenth.
        assertThat(level).isBetween(100.0, Math.sqrt(100 * 220));
        double second = next(level, inFlight -> 1e8);
        assertThat(second).isLessThan(Math.sqrt(level * 220 * 1.3));
    }

    @Test
    void aBoundThatStopsItFades() {
        search.tooHigh(200);
        assertThat(search(100, 20, inFlight -> 1e8)).isGreaterThan(400);
    }

    @Test
    void noisyPairsGetWiderThenLonger() {
        double calm = search.beside(1_000, 1);
        for (int pair = 0; pair < 10; pair++) {
            next(1_000, inFlight -> 1e8);
        }
        assertThat(search.beside(1_000, 1)).as("without noise").isLessThan(calm);
        assertThat(search.stretch()).isEqualTo(1);
        for (int pair = 0; pair < 30; pair++) {
            search.add(Turns.of(900, 1e8, 4, 0.9), Turns.of(1_100, 1e8, 4, 0.9), 0);
            search.moved(1_000, 1_000);
        }
        assertThat(search.beside(1_000, 1)).isEqualTo(calm);
        assertThat(search.stretch()).isGreaterThan(1).isLessThanOrEqualTo(8);
    }

    @Property
    void bothSidesOfAPairDiffer(@ForAll @DoubleRange(min = 1, max = 1_000_000) double level) {
        assertThat(Math.round(search.beside(level, 1))).isGreaterThan(Math.round(level));
        assertThat(Math.round(search.beside(level, -1))).isLessThan(Math.round(level));
        assertThat(search.firstSide()).isIn(-1, 1);
    }

    @Property
    void theUpperSideStaysBelowACap(@ForAll @IntRange(min = 2, max = 1_000_000) int cap) {
        assertThat(Math.round(search.beside(search.below(cap), 1))).isLessThanOrEqualTo(cap);
    }

    @Property
    void staysInFiniteNumbersWhateverIsMeasured(
            @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 1_000_000) Integer> fewer,
            @ForAll @IntRange(min = 1, max = 1_000_000) int more,
            @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long fewNanos,
            @ForAll @LongRange(min = 1, max = 1_000_000_000_000L) long moreNanos,
            @ForAll @IntRange(min = 1, max = 50) int calls,
            @ForAll @DoubleRange(min = 0, max = 0.99) double scatter) {
        PairSearch any = new PairSearch();
        double level = fewer.getFirst();
        for (int few : fewer) {
            boolean turned = few % 2 == 0;
            any.add(
                    Turns.of(few, turned ? moreNanos : fewNanos, calls, scatter),
                    Turns.of(few + more, turned ? fewNanos : moreNanos, calls, scatter),
                    moreNanos);
            double next = any.next(level, few + more, few);
            assertThat(next).isFinite();
            assertThat(next).isBetween(level * Math.exp(-0.26), Math.max(level * Math.exp(0.71), level + 1));
            any.moved(level, next);
            level = Math.max(1, next);
            assertThat(any.stretch()).isBetween(1.0, 8.0);
            assertThat(any.beside(level, 1)).isFinite();
        }
    }
}
