package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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
        int few = (int) Math.max(1, Math.round(lower(level)));
        int many = (int) Math.round(upper(level));
        search.add(Turns.of(few, nanos.applyAsDouble(few)), Turns.of(many, nanos.applyAsDouble(many)), 0);
        double next = Math.max(1, search.next(level, many));
        search.moved(level, next);
        return next;
    }

    /** What the next pair has on its side with fewer permits. */
    private double lower(double level) {
        return Math.min(search.first(level), search.second(level));
    }

    private double upper(double level) {
        return Math.max(search.first(level), search.second(level));
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

    /** The pair that looks far, from a level of 200 whose calls take four times as long as is no sign of load. */
    private void lookFar(double expectedLow, double expectedHigh) {
        search.take(Math.log(4), Math.log(3));
        double first = search.first(200);
        double second = search.second(200);

        assertThat(search.isFar()).isTrue();
        assertThat(Math.min(first, second)).isCloseTo(expectedLow, within(1e-6));
        assertThat(Math.max(first, second)).isCloseTo(expectedHigh, within(1e-6));
    }

    @Test
    void looksFarDownWhereCallsTakeMuchLongerThanWithoutLoad() {
        lookFar(50, 200);

        assertThat(search.isHigherBetter(Turns.of(50, 25e6), Turns.of(200, 100e6), 0))
                .as("as many answers")
                .isFalse();
        assertThat(search.longPays()).isFalse();
        double _ = search.first(50);
        assertThat(search.isFar()).as("again at once").isFalse();
    }

    @Test
    void looksFarUpWhereFarFewerGaveFewerAnswers() {
        lookFar(50, 200);
        assertThat(search.isHigherBetter(Turns.of(50, 30e6), Turns.of(200, 100e6), 0))
                .isTrue();
        lookFar(200, 400);
        assertThat(search.isHigherBetter(Turns.of(200, 100e6), Turns.of(400, 180e6), 0))
                .isTrue();
        lookFar(200, 400);
        assertThat(search.isHigherBetter(Turns.of(200, 100e6), Turns.of(400, 198e6), 0))
                .isFalse();
        assertThat(search.longPays()).as("what a look down has shown").isTrue();
        double _ = search.first(200);
        assertThat(search.isFar()).as("again at once").isFalse();
    }

    @Test
    void looksNoFurtherUpThanCallsMayTake() {
        lookFar(50, 200);
        assertThat(search.isHigherBetter(Turns.of(50, 30e6), Turns.of(200, 100e6), 0))
                .isTrue();
        search.take(Math.log(4), Math.log(1.1));
        double _ = search.first(200);

        assertThat(search.isFar()).isFalse();
    }

    @Test
    void doesNotLookFarWithoutASignOfLoad() {
        search.take(Math.log(1.1), Math.log(3));
        double _ = search.first(200);

        assertThat(search.isFar()).isFalse();
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
        double calm = upper(1_000);
        for (int pair = 0; pair < 10; pair++) {
            next(1_000, inFlight -> 1e8);
        }
        assertThat(upper(1_000)).as("without noise").isLessThan(calm);
        assertThat(search.stretch()).isEqualTo(1);
        for (int pair = 0; pair < 30; pair++) {
            search.add(Turns.of(900, 1e8, 4, 0.9), Turns.of(1_100, 1e8, 4, 0.9), 0);
            search.moved(1_000, 1_000);
        }
        assertThat(upper(1_000)).isEqualTo(calm);
        assertThat(search.stretch()).isGreaterThan(1).isLessThanOrEqualTo(8);
    }

    @Property
    void bothSidesOfAPairDiffer(@ForAll @DoubleRange(min = 1, max = 1_000_000) double level) {
        assertThat(Math.round(upper(level))).isGreaterThan(Math.round(level));
        assertThat(Math.round(lower(level))).isLessThan(Math.round(level));
    }

    @Property
    void theUpperSideStaysBelowACap(@ForAll @IntRange(min = 2, max = 1_000_000) int cap) {
        assertThat(Math.round(upper(search.below(cap)))).isLessThanOrEqualTo(cap);
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
            double next = any.next(level, few + more);
            assertThat(next).isFinite();
            assertThat(next).isBetween(level * Math.exp(-0.26), Math.max(level * Math.exp(0.71), level + 1));
            any.moved(level, next);
            level = Math.max(1, next);
            assertThat(any.stretch()).isBetween(1.0, 8.0);
            any.take(Math.log(moreNanos), Math.log(fewNanos));
            assertThat(any.first(level)).isFinite();
            assertThat(any.second(level)).isFinite();
        }
    }
}
