package dev.penstock.lab.compare.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.compare.Results;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultSourceTest {
    /** As {@code k6 run --summary-export} writes it. */
    private static final String EXPORT = """
            { "root_group": { "name": "", "checks": {} }, "metrics": {
              "http_req_duration": { "avg": 144.5, "min": 104.1, "med": 110.4, "max": 1140, "p(90)": 203.5, "p(95)": 215.9 },
              "http_req_failed": { "passes": 3, "fails": 177, "value": 0.016666 },
              "http_reqs": { "count": 180, "rate": 4.5 },
              "vus_max": { "value": 19, "min": 19, "max": 19 } } }
            """;

    /** As {@code handleSummary(data)} gives it. */
    private static final String SUMMARY = """
            { "options": {}, "state": { "testRunDurationMs": 40000 }, "metrics": {
              "http_req_duration": { "type": "trend", "contains": "time", "values":
                { "avg": 144.5, "min": 104.1, "med": 110.4, "max": 1140, "p(90)": 203.5, "p(95)": 215.9, "p(99)": 900.5 } },
              "http_req_failed": { "type": "rate", "values": { "rate": 0.1, "passes": 40, "fails": 360 } },
              "http_reqs": { "type": "counter", "values": { "count": 400, "rate": 10 } } } }
            """;

    @TempDir
    private Path folder;

    @Test
    void aSummaryExportOfK6TellsItsRequests() throws IOException {
        ResultFile file = read(EXPORT);

        assertThat(file.experiment()).isEqualTo("load");
        assertThat(ForeignResult.generator(file)).isEqualTo("k6");
        Map<String, Double> block = file.contestants().getFirst().blocks().getFirst();
        assertThat(block)
                .containsEntry("count", 180.0)
                .containsEntry("errors", 3.0)
                .containsEntry("mean_ms", 144.5)
                .containsEntry("min_ms", 104.1)
                .containsEntry("p50_ms", 110.4)
                .containsEntry("p90_ms", 203.5)
                .containsEntry("p95_ms", 215.9)
                .containsEntry("max_ms", 1140.0)
                .containsEntry("seconds", 40.0)
                .doesNotContainKeys("p99_ms", "users_max");
        assertThat(block.get("tps")).isCloseTo(4.5 * 177 / 180, within(1e-9));
    }

    @Test
    void whatHandleSummaryGivesTellsTheSame() throws IOException {
        assertThat(read(SUMMARY).contestants().getFirst().blocks().getFirst())
                .containsEntry("count", 400.0)
                .containsEntry("errors", 40.0)
                .containsEntry("tps", 9.0)
                .containsEntry("p99_ms", 900.5);
    }

    @Test
    void timesOfK6AreThoseOfExpectedResponsesIfTheSummaryHasThem() throws IOException {
        String right = SUMMARY.replace("{ \"type\": \"trend\"", """
                { "values": { "avg": 1, "med": 1 } },
              "http_req_duration{expected_response:true}": { "type": "trend\"""");

        assertThat(read(right).contestants().getFirst().blocks().getFirst())
                .containsEntry("p99_ms", 900.5)
                .containsEntry("failures", 40.0);
        assertThat(read(right).contestants().getFirst().settings()).containsOnlyKeys("generator");
        assertThat(read(SUMMARY).contestants().getFirst().settings().get("times_of"))
                .startsWith("all requests, failed ones included");
    }

    @Test
    void aPercentileOfTooFewRequestsIsNotTaken() throws IOException {
        assertThat(read(SUMMARY.replace("400", "200"))
                        .contestants()
                        .getFirst()
                        .blocks()
                        .getFirst())
                .doesNotContainKey("p99_ms")
                .containsKey("p95_ms");
    }

    @Test
    void oursIsReadAsItIs() throws IOException {
        ResultFile ours = Results.load("pay", Results.block(100, 5));

        assertThat(read(ours.json())).isEqualTo(ours);
        assertThat(ForeignResult.generator(ours)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"metrics\": {\"iterations\": {\"count\": 5}}} | it contains no HTTP requests",
                "{\"type\": \"Metric\", \"metric\": \"http_reqs\"} | contains the samples of k6: use its summary (--summary-export)",
                "{\"a\": 1} | is not a result file",
                "{\"a\": | is not valid JSON",
                "hello | contains no results: use a result file",
                "time,elapsed | contains no results: use a result file"
            })
    void anythingElseIsRefusedInOneLine(String text, String why) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> read(text))
                .withMessageStartingWith(folder.toString())
                .withMessageContaining(why);
    }

    @Test
    void whatIsNotThereOrNoFileIsRefused() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ResultSource.read(folder.resolve("none.json"), null))
                .withMessageEndingWith("none.json does not exist: use an existing file of results");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> ResultSource.read(folder, null))
                .withMessageStartingWith("cannot read " + folder);
    }

    private ResultFile read(String text) throws IOException {
        Path file = folder.resolve("any");
        Files.writeString(file, text);
        return ResultSource.read(file, null);
    }
}
