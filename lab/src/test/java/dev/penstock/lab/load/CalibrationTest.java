package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.load.Calibration.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibrationTest {
    private static final long LATE = 5_000_000;
    private final List<Attempt> attempts = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(doubles = {1_000, 1_999, 2_000, 37_000, 64_000, 517_000, 999_999})
    void findsTheHighestRateToAFewPercentInFewAttempts(double limit) throws InterruptedException {
        double found = search(rate -> good(rate, rate <= limit)).orElseThrow();

        assertThat(found).isLessThanOrEqualTo(limit).isCloseTo(limit, within(0.05 * limit));
        assertThat(attempts).hasSizeLessThan(30);
        assertThat(attempts).extracting(Attempt::rate).contains(found);
    }

    @Test
    void oneDisturbedAttemptChangesNothing() throws InterruptedException {
        OptionalDouble found = search(rate -> good(rate, rate <= 37_000 && attempts.size() % 3 != 1));

        assertThat(found.orElseThrow()).isCloseTo(37_000, within(0.05 * 37_000));
    }

    @Test
    void aMachineThatIsGoodForNothingSaysSo() throws InterruptedException {
        assertThat(search(rate -> good(rate, false))).isEmpty();
        assertThat(attempts).hasSize(2);
    }

    @Test
    void noRateIsTriedBeyondWhatALoadMayHave() throws InterruptedException {
        assertThat(search(rate -> good(rate, true))).hasValue(Shape.MAX);
        assertThat(attempts).extracting(Attempt::rate).allMatch(rate -> rate <= Shape.MAX);
    }

    @Test
    void aGoodRateLagsLessThanAMillisecondAndShedsNextToNothing() {
        assertThat(new Attempt(1_000, 999_999, 10_000, 10).sustained()).isTrue();
        assertThat(new Attempt(1_000, 1_000_000, 10_000, 0).sustained()).isFalse();
        assertThat(new Attempt(1_000, 1_000, 10_000, 11).sustained()).isFalse();
        assertThat(new Attempt(1_000, 0, 0, 0).sustained()).isFalse();
    }

    private OptionalDouble search(Calibration.Machine machine) throws InterruptedException {
        return new Calibration(machine, attempts::add).highestRate();
    }

    private static Attempt good(double rate, boolean is) {
        return new Attempt(rate, is ? 20_000 : LATE, 1_000, 0);
    }
}
