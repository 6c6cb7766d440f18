package dev.penstock.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the table of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, and closed forms. */
class StudentTTest {
    @ParameterizedTest
    @CsvSource({
        "0.90, 1, 3.078", "0.95, 1, 6.314", "0.975, 1, 12.706", "0.999, 1, 318.309",
        "0.975, 2, 4.303", "0.99, 2, 6.965", "0.975, 3, 3.182", "0.975, 4, 2.776",
        "0.90, 5, 1.476", "0.975, 5, 2.571", "0.99, 5, 3.365", "0.975, 9, 2.262",
        "0.95, 10, 1.812", "0.975, 11, 2.201", "0.975, 29, 2.045", "0.999, 30, 3.385",
        "0.975, 100, 1.984", "0.975, 1e12, 1.960", "0.99, 1e12, 2.326"
    })
    void quantilesAreThoseOfTheTable(double probability, double degrees, double value) {
        assertThat(StudentT.quantile(probability, degrees)).isCloseTo(value, within(0.0006));
    }

    @Test
    void oneAndTwoDegreesHaveClosedForms() {
        double up = 0.975 - 0.5;
        assertThat(StudentT.within95(1)).isCloseTo(Math.tan(Math.PI * up), within(1e-9));
        assertThat(StudentT.within95(2)).isCloseTo(2 * up * Math.sqrt(2 / (1 - 4 * up * up)), within(1e-9));
    }

    @Property
    void quantileAndProbabilityUndoEachOther(
            @ForAll @DoubleRange(min = 1, max = 500) double degrees,
            @ForAll @DoubleRange(min = 0.5, max = 0.99) double probability) {
        double value = StudentT.quantile(probability, degrees);
        assertThat(StudentT.cumulative(value, degrees)).isCloseTo(probability, within(1e-9));
    }

    @Property
    void moreDegreesNeverWiden(
            @ForAll @DoubleRange(min = 1, max = 1e5) double degrees, @ForAll @DoubleRange(max = 100) double more) {
        assertThat(StudentT.within95(degrees + more)).isLessThanOrEqualTo(StudentT.within95(degrees) + 1e-9);
    }
}
