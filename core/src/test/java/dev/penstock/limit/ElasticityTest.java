package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticityTest {
    private static final double NANOS = 50e6;

    private final Elasticity elasticity = new Elasticity();

    /** A pair at 90 and 110 permits, whose times grow by this power of the number in flight. */
    private boolean pair(double power, double nanos) {
        return elasticity.add(turn(90, power, nanos), turn(110, power, nanos), 0, 0);
    }

    private static Turn turn(int permits, double power, double nanos) {
        return Turns.of(permits, nanos * Math.pow(permits / 100.0, power));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 0, 0.5, 1, 2})
    void isThePowerOfTheNumberInFlightByWhichTimesGrow(double power) {
        pair(power, NANOS);
        assertThat(elasticity.value()).isCloseTo(power, within(0.05));
        for (int pair = 0; pair < 10; pair++) {
            assertThat(pair(power, NANOS)).isFalse();
        }
        assertThat(elasticity.value()).isCloseTo(power, within(0.01));
    }

    @Test
    void getsSurerWithPairsAndLessSureWhenTheLimitMoves() {
        pair(0, NANOS);
        double first = elasticity.variance();
        pair(0, NANOS);
        pair(0, NANOS);
        double third = elasticity.variance();
        assertThat(third).isLessThan(first);
        elasticity.add(turn(90, 0, NANOS), turn(110, 0, NANOS), 0, 0.5);
        assertThat(elasticity.variance()).isGreaterThan(third);
        assertThat(elasticity.error()).isEqualTo(Math.sqrt(elasticity.variance()));
    }

    @Test
    void aNoisyPairMovesItLess() {
        Elasticity other = new Elasticity();
        for (int pair = 0; pair < 5; pair++) {
            pair(0, NANOS);
            other.add(turn(90, 0, NANOS), turn(110, 0, NANOS), 0, 0);
        }
        pair(1, NANOS);
        other.add(Turns.of(90, 0.9 * NANOS, 10, 0.9), Turns.of(110, 1.1 * NANOS, 10, 0.9), 0, 0);
        assertThat(other.value()).isLessThan(elasticity.value());
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2})
    void timesThatChangeWithoutACauseAreAChangeOfTheTarget(double factor) {
        assertThat(pair(0.5, NANOS)).as("the first").isFalse();
        assertThat(pair(0.5, NANOS)).isFalse();
        assertThat(pair(0.5, factor * NANOS)).isTrue();
        assertThat(pair(0.5, factor * NANOS)).isFalse();
    }

    @Test
    void timesThatGrowWithTheNumberInFlightAreNoChangeOfTheTarget() {
        for (int pair = 0; pair < 5; pair++) {
            pair(1, NANOS);
        }
        assertThat(elasticity.add(turn(180, 1, NANOS), turn(220, 1, NANOS), 0, Math.log(2)))
                .isFalse();
    }
}
