package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.collapse.CallTimeModel.Fit;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallTimeModelTest {
    private static final double MS = 1e6;

    private final CallTimeModel model = new CallTimeModel();
    private long now;

    private void call(double millis, int items, int others) {
        now += 2 * (long) MS;
        model.sample(now, (long) (millis * MS), items, others);
    }

    private static double exponential(RandomGenerator random) {
        return -Math.log(1 - random.nextDouble());
    }

    @Test
    void beforeAnyCallNothingIsKnown() {
        assertThat(model.fit().isKnown()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void itFindsWhatItemsAndOtherCallsCostInSpiteOfNoise(long seed) {
        RandomGenerator random = new Random(seed);
        for (int call = 0; call < 2_000; call++) {
            int items = 1 + random.nextInt(10);
            int others = random.nextInt(8);
            call((20 + 2 * items + 3 * others) * exponential(random), items, others);
        }
        assertThat(model.fit().perItem()).isCloseTo(2 * MS, within(1.2 * MS));
        assertThat(model.fit().perCall()).isCloseTo(3 * MS, within(1.5 * MS));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void noiseAloneIsNoCost(long seed) {
        RandomGenerator random = new Random(seed);
        for (int call = 0; call < 500; call++) {
            call(20 * exponential(random), 1 + random.nextInt(10), random.nextInt(8));
        }
        assertThat(model.fit().perItem()).isLessThan(0.5 * MS);
        assertThat(model.fit().perCall()).isLessThan(0.5 * MS);
    }

    @Test
    void callsOfOneSizeAreNoEvidenceThatItemsCostTime() {
        for (int call = 0; call < 100; call++) {
            call(22, 1, 0);
        }
        assertThat(model.fit()).isEqualTo(new Fit(22 * MS, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void whatItemsCostIsProvenByCallsOfAnotherSize(int perItem) {
        for (int call = 0; call < 100; call++) {
            call(20 + 50 * perItem, 50, 0);
        }
        assertThat(model.fit().perItem()).isZero();
        assertThat(model.unprovenSize()).isEqualTo(50);
        for (int call = 0; call < 20; call++) {
            call(20 + 25 * perItem, 25, 0);
        }
        assertThat(model.unprovenSize()).isZero();
        assertThat(model.fit().perItem()).isCloseTo(perItem * MS, within(0.1 * MS));
    }

    @Test
    void whatIsLearnedIsFollowedByWhatIsNewWithinSeconds() {
        for (int call = 0; call < 2_000; call++) {
            call(20 + 2 * (1 + call % 5), 1 + call % 5, 0);
        }
        assertThat(model.fit().perItem()).isCloseTo(2 * MS, within(0.1 * MS));
        for (int call = 0; call < 10_000; call++) {
            call(40, 1 + call % 5, 0);
        }
        assertThat(model.fit().perItem()).isLessThan(0.1 * MS);
        assertThat(model.fit().base()).isCloseTo(40 * MS, within(MS));
    }

    @Test
    void aStrayCallMovesItLittle() {
        for (int call = 0; call < 500; call++) {
            call(20 + 2 * (1 + call % 5), 1 + call % 5, 0);
        }
        call(60_000, 5, 0);
        assertThat(model.fit().perItem()).isLessThan(3 * MS);
    }

    @Test
    void itCountsTheCallsThatAreOut() {
        assertThat(model.begin()).isZero();
        assertThat(model.begin()).isOne();
        model.end();
        assertThat(model.begin()).isOne();
    }
}
