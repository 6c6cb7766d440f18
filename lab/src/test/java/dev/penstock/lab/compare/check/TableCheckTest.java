package dev.penstock.lab.compare.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.compare.Results;
import dev.penstock.lab.compare.check.Finding.Severity;
import dev.penstock.lab.compare.check.ResultRow.Printed;
import dev.penstock.lab.report.ResultFile;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableCheckTest {
    /** Rows that cannot be true, and why: key=value pairs, each figure printed with one decimal at most. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "p50_ms=200 p90_ms=150 | p50 200 ms is above p90 150 ms",
                "min_ms=5 p99_ms=3 | min 5 ms is above p99 3 ms",
                "p999_ms=30 max_ms=20 | p99.9 30 ms is above max 20 ms",
                "mean_ms=50 max_ms=20 | the mean of 50 ms is too high for max 20 ms: it must be at most 20.5 ms",
                "min_ms=9 mean_ms=5 | the mean of 5 ms is too low for min 9 ms: it must be at least 8.50 ms",
                "count=1000 p50_ms=100 mean_ms=40 | the mean of 40 ms is too low for p50 100 ms: it must be at least 49.7 ms",
                "count=1000 p90_ms=10 max_ms=100 mean_ms=30 | the mean of 30 ms is too high for p90 10 ms and max 100 ms",
                "count=5000 p50_ms=10.2 p90_ms=20.1 p99_ms=80.5 max_ms=210 mean_ms=33 | the mean of 33 ms is too high for"
                        + " p50 10.2 ms, p90 20.1 ms, p99 80.5 ms and max 210 ms: it must be at most 22.6 ms",
                "count=1000 p50_ms=10 p90_ms=100 mean_ms=12 | too low for p50 10 ms and p90 100 ms: it must be at least 13.7",
                "count=100 errors=101 | 101 errors are more than 100 transactions",
                "count=1000 errors=100 error_percent=5 | 100 errors of 1,000 are 10 %, not 5 %",
                "error_percent=120 | 120 % errors are more than 100 %",
                "count=50000 max_ms=20 p50_ms=10 mean_ms=30 | the mean of 30 ms is too high for max 20 ms",
                "count=1000 seconds=10 tps=150 | 1,000 in 10 s are 100/s, not 150",
            })
    void whatCannotBeTrueIsFound(String figures, String why) {
        assertThat(TableCheck.of(List.of(row(figures))))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.IMPOSSIBLE))
                .satisfies(finding -> assertThat(finding.text()).contains(why))
                .satisfies(finding -> assertThat(finding.row()).isEqualTo("row"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count=200 p99_ms=50 | p99 of 200 samples needs at least 299",
                "count=2000 p999_ms=50 | p99.9 of 2,000 samples needs at least 2,995",
                "count=1000 seconds=10 tps=50 | and 50 is far less: they are not of the same time"
            })
    void whatIsHardToBelieveIsTold(String figures, String why) {
        assertThat(TableCheck.of(List.of(row(figures))))
                .singleElement()
                .satisfies(finding -> assertThat(finding.severity()).isEqualTo(Severity.SUSPICIOUS))
                .satisfies(finding -> assertThat(finding.text()).contains(why));
    }

    /** Tables of real teams and tools, and figures that round against each other. */
    @ParameterizedTest
    @CsvSource({
        "count=106724 mean_ms=6700 seconds=14400 tps=7.4",
        "count=99043 mean_ms=14500 seconds=14400",
        "count=2995 min_ms=1 p50_ms=1 p90_ms=1 p99_ms=1 p999_ms=1 max_ms=1 mean_ms=1",
        "p50_ms=0 p90_ms=0 max_ms=0 mean_ms=0",
        "count=1000 errors=333 error_percent=33.3",
        "count=1000 seconds=10 tps=98 errors=20",
        "count=1000 seconds=10 tps=80 error_percent=20",
        "count=0 errors=0 error_percent=0 tps=0",
        "count=50000 p50_ms=100 mean_ms=40"
    })
    void whatCanBeTruePasses(String figures) {
        assertThat(TableCheck.of(List.of(row(figures)))).isEmpty();
    }

    @Test
    void totalsAreOfTheirRows() {
        List<ResultRow> rows = List.of(
                row("count=100 mean_ms=10 errors=1"),
                row("count=50 mean_ms=20 errors=0"),
                total("count=150 mean_ms=13"));
        assertThat(TableCheck.of(rows)).isEmpty();
        assertThat(TableCheck.of(List.of(rows.get(0), rows.get(1), total("count=160 mean_ms=25"))))
                .extracting(Finding::text)
                .containsExactly(
                        "the count of the rows are 150 in total, not 160",
                        "the mean of all, 25 ms, does not fit the rows: it must be 9.50 to 20.5 ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TOTAL", "**Sum**", "all"})
    void theTotalHasManyNames(String name) {
        List<ResultRow> rows = List.of(row(name, "count=7 errors=0"), row("count=3 errors=0"), row("count=5 errors=0"));
        assertThat(TableCheck.of(rows))
                .extracting(Finding::text)
                .containsExactly("the count of the rows are 8 in total, not 7");
    }

    @Test
    void extremesOfTheTotalAreThoseOfARow() {
        List<ResultRow> rows = List.of(row("min_ms=2 max_ms=40"), row("min_ms=5 max_ms=210"));
        assertThat(TableCheck.of(List.of(rows.get(0), rows.get(1), total("min_ms=2 max_ms=210"))))
                .isEmpty();
        assertThat(TableCheck.of(List.of(rows.get(0), rows.get(1), total("min_ms=5 max_ms=190"))))
                .extracting(Finding::text)
                .containsExactly(
                        "the min of all, 5 ms, does not fit the rows: it must be 1.50 to 2.50 ms",
                        "the max of all, 190 ms, does not fit the rows: it must be 210 to 211 ms");
    }

    @Test
    void aResultFileThatObeysEveryLawPasses() {
        ResultFile file = Results.race(
                1,
                Results.contestant("a", Results.blocks(6, 100, 20, 0.01)),
                Results.contestant("b", Results.blocks(6, 100, 10, 0.01)));
        assertThat(TableCheck.of(file)).isEmpty();
    }

    @Test
    void labelsOfALoadAddUpToIt() {
        ResultFile load = Results.load("x", Results.block(200, 10));
        Map<String, Double> browse = Results.block(160, 9);
        ResultFile right = load.labelled(Map.of("browse", browse, "pay", Results.block(40, 14)));
        ResultFile wrong = load.labelled(Map.of("browse", browse, "pay", Results.block(50, 14)));

        assertThat(TableCheck.rows(right)).extracting(ResultRow::name).contains("x", "x, browse", "x, pay");
        assertThat(TableCheck.of(right)).isEmpty();
        assertThat(TableCheck.of(wrong))
                .extracting(Finding::text)
                .containsExactly("the count of the rows are 2,100 in total, not 2,000");
    }

    /** Measured values satisfy every invariant, however they were rounded for printing. */
    @Property
    void realSamplesAreNeverImpossible(
            @ForAll @Size(min = 1, max = 400) List<@DoubleRange(max = 5_000) Double> samples,
            @ForAll @IntRange(max = 2) int decimals) {
        double[] sorted =
                samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double sum = Arrays.stream(sorted).sum();
        Map<String, Printed> figures = new LinkedHashMap<>();
        figures.put("count", new Printed(sorted.length, 0));
        print(figures, "mean_ms", sum / sorted.length, decimals);
        print(figures, "min_ms", sorted[0], decimals);
        print(figures, "p50_ms", rank(sorted, 0.5), decimals);
        print(figures, "p90_ms", rank(sorted, 0.9), decimals);
        print(figures, "p99_ms", rank(sorted, 0.99), decimals);
        print(figures, "max_ms", sorted[sorted.length - 1], decimals);
        double seconds = sum / 1e3;
        if (seconds > 0) {
            figures.put("seconds", new Printed(seconds, 0));
            figures.put("tps", new Printed(sorted.length / seconds, 0));
        }
        assertThat(TableCheck.of(List.of(new ResultRow("row", figures))))
                .noneMatch(finding -> finding.severity() == Severity.IMPOSSIBLE);
    }

    private static double rank(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    private static void print(Map<String, Printed> figures, String key, double value, int decimals) {
        double unit = Math.pow(10, -decimals);
        figures.put(key, new Printed(Math.round(value / unit) * unit, unit / 2));
    }

    private static ResultRow row(String figures) {
        return row("row", figures);
    }

    private static ResultRow total(String figures) {
        return row("total", figures);
    }

    private static ResultRow row(String name, String figures) {
        Map<String, Printed> byKey = new LinkedHashMap<>();
        for (String pair : figures.split(" ", -1)) {
            String value = pair.substring(pair.indexOf('=') + 1);
            boolean exact = !pair.matches(".*_ms=.*|error_percent=.*|tps=.*|seconds=.*");
            double rounding = exact ? 0 : value.contains(".") ? 0.05 : 0.5;
            byKey.put(pair.substring(0, pair.indexOf('=')), new Printed(Double.parseDouble(value), rounding));
        }
        return new ResultRow(name, byKey);
    }
}
