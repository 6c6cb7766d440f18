package dev.penstock.lab.compare.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.compare.ResultComparison;
import dev.penstock.lab.compare.Results;
import dev.penstock.lab.compare.check.ResultRow.Printed;
import dev.penstock.lab.report.ComparisonTable;
import dev.penstock.lab.report.RaceTable;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableFileTest {
    /** As JMeter's aggregate report is saved. */
    private static final String AGGREGATE = """
            Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput,Received KB/sec,Std. Dev.
            login,1000,120,100,200,250,400,10,900,0.00%,10.2,5.1,80.2
            pay,500,"1,231","1,100",1800,2000,2400,300,5000,2.20%,5.1/sec,2.1,400.0
            TOTAL,1500,490,200,1500,1800,2300,10,5000,0.73%,15.3,7.2,600.1
            """;

    @TempDir
    private Path folder;

    @Test
    void anAggregateReportOfJMeterIsRead() throws IOException {
        assertThat(check(AGGREGATE)).isEqualTo(new TableFile(3, List.of(), List.of()));

        TableFile wrong = check(AGGREGATE.replace("1500,490", "1600,490").replace("100,200,250", "100,90,250"));
        assertThat(wrong.isImpossible()).isTrue();
        assertThat(wrong.findings())
                .extracting(Finding::toString)
                .containsExactly(
                        "Finding[severity=IMPOSSIBLE, row=login, text=p50 100 ms is above p90 90 ms]",
                        "Finding[severity=IMPOSSIBLE, row=TOTAL, text=the count of the rows are 1,500 in total, not 1,600]");
    }

    @Test
    void thePastTablesOfATeamAreRead() throws IOException {
        TableFile checked = check("""
                # What we measured

                | run | users | #count | average | 90 % | min | max | time | TPS |
                |-----|------:|-------:|--------:|-----:|----:|----:|-----:|----:|
                | 1 | 50 | 106,724 | 6.7 s | 0 | 20 ms | 60 s | 4 h | 7.4 |
                | 2 | 100 | 99,043 | 14.5 s | 30 s | 20 ms | 80 s | 4 h | 6.9 |
                | 3 | 100 | 99,043 | 14.5 s | 30 s | 20 ms | 80 s | 4 h | 69 |

                More text.
                """);

        assertThat(checked.rows()).isEqualTo(3);
        assertThat(checked.findings())
                .extracting(finding -> finding.row() + ": " + finding.text())
                .containsExactly("1: min 20 ms is above p90 0 ms", "3: 99,043 in 14,400 s are 6.88/s, not 69");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "Mean (s) | 6.7 | mean_ms | 6700 | 50",
                "Average response time [ms] | 1,231 | mean_ms | 1231 | 0.5",
                "mean ms | 0.250 | mean_ms | 0.25 | 0.0005",
                "Avg | 6,7 s | mean_ms | 6700 | 50",
                "p(95) | 1.2s | p95_ms | 1200 | 50",
                "TP99 | 1253 | p99_ms | 1253 | 0.5",
                "99.9th percentile | 12 ms | p999_ms | 12 | 0.5",
                "p999 | 300 us | p999_ms | 0.3 | 0.0005",
                "Median | **17** | p50_ms | 17 | 0.5",
                "# Samples | 12 345 | count | 12345 | 0",
                "Throughput | 3.0/min | tps | 0.05 | 0.000833",
                "Throughput (/sec) | 7.4 | tps | 7.4 | 0.05",
                "req/s | 1'234.5 | tps | 1234.5 | 0.05",
                "Error % | 0.73% | error_percent | 0.73 | 0.005",
                "Errors [%] | 0.7 | error_percent | 0.7 | 0.05",
                "errors | 1.5 % | error_percent | 1.5 | 0.05",
                "errors | 15 | errors | 15 | 0",
                "Duration | 4 h | seconds | 14400 | 1800",
                "time (min) | 30 | seconds | 1800 | 30"
            })
    void headingsAndCellsAreReadAsPeopleWriteThem(
            String heading, String cell, String key, double value, double rounding) throws IOException {
        String table = "| " + heading + " | max |\n|---|---|\n| " + cell + " | 0 |\n";
        Map<String, Printed> figures =
                TableFile.tables(table, new ArrayList<>()).getFirst().getFirst().figures();

        assertThat(figures).containsOnlyKeys(key, "max_ms");
        Printed figure = figures.getOrDefault(key, new Printed(Double.NaN, 0));
        assertThat(figure.value()).isCloseTo(value, within(1e-9));
        assertThat(figure.rounding()).isCloseTo(rounding, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "mean | n/a",
                "mean | 5 apples",
                "TPS | FASTER 1.20",
                "colour | 5",
                "90 | 5",
                "bytes | 12",
                "mean | 3/min"
            })
    void whatIsNoFigureTellsNothing(String heading, String cell) throws IOException {
        String table = "| " + heading + " | min | count |\n|---|---|---|\n| " + cell + " | 0 | 7 |\n";
        assertThat(TableFile.tables(table, new ArrayList<>())
                        .getFirst()
                        .getFirst()
                        .figures())
                .containsOnlyKeys("min_ms", "count");
    }

    @Test
    void ourOwnMarkdownIsReadAndPasses() throws IOException {
        ResultFile a = Results.race(1, Results.contestant("one", Results.blocks(6, 200, 10, 0.01)));
        ResultComparison comparison = ResultComparison.of(a, a, false);
        String race = new RaceTable(a).markdown();
        String compared = new ComparisonTable(comparison.file("1", "c", 1), comparison.warnings()).markdown();

        assertThat(check(race + "\n" + compared)).isEqualTo(new TableFile(1, List.of(), List.of()));
    }

    @Test
    void thePercentileOf100IsTheMaximum() throws IOException {
        assertThat(check("Name,# reqs,50%,95%,99%,100%\nGET /,1000,630,630,630,625\n")
                        .findings())
                .extracting(Finding::text)
                .containsExactly("p99 630 ms is above max 625 ms");
    }

    @Test
    void rowsWithoutFiguresAreMentioned() throws IOException {
        assertThat(check(AGGREGATE + "pay,12\n").notes()).containsExactly("rows without figures that were left out: 1");
    }

    @Test
    void resultFilesAreRead() throws IOException {
        assertThat(check(Results.load("pay", Results.block(100, 10)).json()))
                .isEqualTo(new TableFile(1, List.of(), List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {";", "\t", "|"})
    void otherSeparatorsAreRead(String separator) throws IOException {
        String text = "\uFEFF\"Run\",count,TPS,time\r\n\"a, b\",100,10,10\r\nc,100,20,10\r\n";
        assertThat(check(text.replace("a, b", "a").replace(",", separator)).findings())
                .extracting(Finding::row)
                .containsExactly("c");
        assertThat(check(text.replace("20,10", "10,10").replace(",10,10\r\nc", ",20,10\r\nc"))
                        .findings())
                .extracting(Finding::row)
                .containsExactly("a, b");
    }

    @Test
    void aLongTableIsRead() throws IOException {
        String table = "| run | count | max |\n|---|---|---|\n" + "| a | 7 | 5 ms |\n".repeat(50_000);
        assertThat(check(table).rows()).isEqualTo(50_000);
    }

    @Test
    void aFileWithoutATableIsRefused() throws IOException {
        for (String text : List.of("", "hello\n", "a,b\n1,2\n", "| a | b |\n|---|---|\n| 1 | 2 |\n")) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> check(text))
                    .withMessageContaining("contains no table of results: use CSV or Markdown with headings such as");
        }
        Path file = folder.resolve("latin.csv");
        Files.write(file, "Label,# Samples,Average\nZ\u00FCrich,5,3\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> TableFile.check(file, null))
                .withMessageEndingWith("is not a table in UTF-8: save it as CSV in UTF-8");
    }

    private TableFile check(String text) throws IOException {
        Path file = folder.resolve("table");
        Files.writeString(file, text);
        return TableFile.check(file, null);
    }
}
