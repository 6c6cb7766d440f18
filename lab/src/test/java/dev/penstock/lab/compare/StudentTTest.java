package dev.penstock.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the table of the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, closed forms, and exact quantiles. */
class StudentTTest {
    @ParameterizedTest
    @CsvSource({
        "1, 12.706",
        "2, 4.303",
        "3, 3.182",
        "4, 2.776",
        "5, 2.571",
        "9, 2.262",
        "11, 2.201",
        "29, 2.045",
        "100, 1.984",
        "1e12, 1.960"
    })
    void quantilesAreThoseOfTheTable(double degrees, double value) {
        assertThat(StudentT.within95(degrees)).isCloseTo(value, within(0.0006));
    }

    @Test
    void oneAndTwoDegreesHaveClosedForms() {
        double up = 0.975 - 0.5;
        assertThat(StudentT.within95(1)).isCloseTo(Math.tan(Math.PI * up), within(5e-5));
        assertThat(StudentT.within95(2)).isCloseTo(2 * up * Math.sqrt(2 / (1 - 4 * up * up)), within(5e-6));
    }

    @ParameterizedTest
    @CsvSource({"1.05, 11.361908", "1.2, 8.648827", "1.5, 6.016663", "1.8, 4.794881", "2.5, 3.574655", "3.5, 2.940089"})
    void degreesNeedNotBeWhole(double degrees, double value) {
        assertThat(StudentT.within95(degrees)).isCloseTo(value, within(5e-5));
    }

    @Property
    void moreDegreesNeverWiden(
            @ForAll @DoubleRange(min = 1, max = 1e5) double degrees, @ForAll @DoubleRange(max = 100) double more) {
        assertThat(StudentT.within95(degrees + more)).isLessThanOrEqualTo(StudentT.within95(degrees) + 1e-9);
    }
}
