package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Metric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageNumbersTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|0",
                "12248.4|12,248",
                "999.4|999.4",
                "199.84|199.8",
                "99.96|100.0",
                "74.94|74.9",
                "3.958|3.96",
                "0.1237|0.124",
                "0.08|0.080",
                "0.0034|0.0034",
                "0.000012|0.000012",
                "-3.5|-3.50"
            })
    void aNumberHasAsManyDigitsAsTellSomething(double value, String words) {
        assertThat(PageNumbers.number(value)).isEqualTo(words);
    }

    @Test
    void aFigureThatIsNotKnownIsNeverZero() {
        Metric tps = Metric.of("tps");
        assertThat(PageNumbers.figure(tps, null)).isEqualTo("n/a");
        assertThat(PageNumbers.figure(tps, Double.NaN)).isEqualTo("n/a");
        assertThat(PageNumbers.figure(tps, Double.POSITIVE_INFINITY)).isEqualTo("n/a");
        assertThat(PageNumbers.figure(tps, 0.0)).isEqualTo("0");
    }

    @Test
    void countsAreWholeUnlessTheirMedianIsNot() {
        assertThat(PageNumbers.figure(Metric.of("errors"), 1450.0)).isEqualTo("1,450");
        assertThat(PageNumbers.figure(Metric.of("in_flight_max"), 266.0)).isEqualTo("266");
        assertThat(PageNumbers.figure(Metric.of("errors"), 16.5)).isEqualTo("16.5");
        assertThat(PageNumbers.figure(Metric.of("errors"), 1604.4)).isEqualTo("1,604");
        assertThat(PageNumbers.figure(Metric.of("errors"), 0.0004)).isEqualTo("0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.19|1.15|1.24|1.19×|1.15–1.24",
                "0.992|0.991|0.993|0.992×|0.991–0.993",
                "0.0042|0.0038|0.0046|0.0042×|0.0038–0.0046",
                "120|90|160|120×|90.0–160",
                "2|0|1.7976931348623157E308|2.00×|0–∞",
                "NaN|NaN|NaN|n/a|n/a–n/a",
            })
    void aRatioHasSoManyDigitsThatItsIntervalShows(double ratio, double low, double high, String is, String within) {
        Comparison verdict = new Comparison(null, "tps", "a", "b", ratio, low, high, Verdict.INCONCLUSIVE);
        assertThat(PageNumbers.ratio(verdict)).isEqualTo(is);
        assertThat(PageNumbers.interval(verdict)).isEqualTo(within);
    }

    @Test
    void placesAreShort() {
        assertThat(PageNumbers.place(12.04)).isEqualTo("12");
        assertThat(PageNumbers.place(-0.26)).isEqualTo("-0.3");
        assertThat(PageNumbers.place(100)).isEqualTo("100");
        assertThat(PageNumbers.percent(0.12345)).isEqualTo("12.35%");
        assertThat(PageNumbers.percent(1)).isEqualTo("100%");
    }

    @Test
    void ticksNeedNoMoreDigitsThanTheirStep() {
        assertThat(PageNumbers.tick(0, 0.5)).isEqualTo("0");
        assertThat(PageNumbers.tick(1.5, 0.5)).isEqualTo("1.5");
        assertThat(PageNumbers.tick(0.075, 0.025)).isEqualTo("0.075");
        assertThat(PageNumbers.tick(7.5, 2.5)).isEqualTo("7.5");
        assertThat(PageNumbers.tick(15_000, 5_000)).isEqualTo("15,000");
        assertThat(PageNumbers.tick(250_000, 50_000)).isEqualTo("250k");
        assertThat(PageNumbers.tick(2_500_000, 500_000)).isEqualTo("2.5M");
    }
}
