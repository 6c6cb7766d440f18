package dev.penstock.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.lab.measure.LoadRecorder;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.lab.measure.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTest {
    private static final long MS = 1_000_000;

    private static final Map<String, Map<String, Double>> LABELS = new LinkedHashMap<>();

    static {
        LABELS.put(
                "browse",
                Map.of(
                        "count",
                        801.0,
                        "mean_ms",
                        90.5,
                        "p50_ms",
                        90.0,
                        "errors",
                        2.0,
                        "tps",
                        799.0,
                        "received_kb_per_s",
                        8.0));
        LABELS.put("pay", Map.of("count", 200.0, "mean_ms", 148.0, "p50_ms", 150.0, "errors", 0.0, "tps", 200.0));
    }

    @TempDir
    private Path folder;

    @Test
    void theTextTableIsAlignedAndTellsWhatIsNotKnown() {
        assertThat(new ResultTable().add("gateway", result(1_000)).text().lines())
                .containsExactly(
                        "                   count  mean ms  p50  p90  p99  p99.9       max    TPS  errors  rejected  unknown  lost  lag p99",
                        "gateway            1,001    >=133  102  102  102    n/a  >=30,904  999.0       2         0        0     1     2.00",
                        "gateway, failures      1      102  n/a  n/a  n/a    n/a       102",
                        "gateway: a load; in flight at most 7",
                        "gateway: times are of right answers (999), and of those never answered (1) as the time they waited, a"
                                + " lower bound (>=); failures (1) have a row of their own",
                        "gateway: this process used CPU 0.05 s (50 us per transaction), heap at most 64 MB, 3 GC pauses of"
                                + " 12.0 ms in total, 9 platform threads",
                        "gateway: answered (wrong) 1, lost 1");
    }

    @Test
    void theMarkdownTableHasOneRowForEach() {
        String markdown = new ResultTable()
                .add("a|b", result(1_000))
                .add("none", result(0))
                .markdown();

        assertThat(markdown.lines().toList().subList(0, 5))
                .containsExactly(
                        "|  | count | mean ms | p50 | p90 | p99 | p99.9 | max | TPS | errors | rejected | unknown | lost |"
                                + " lag p99 |",
                        "|---|" + "---:|".repeat(13),
                        "| a\\|b | 1,001 | >=133 | 102 | 102 | 102 | n/a | >=30,904 | 999.0 | 2 | 0 | 0 | 1 | 2.00 |",
                        "| a\\|b, failures | 1 | 102 | n/a | n/a | n/a | n/a | 102 |  |  |  |  |  |  |",
                        "| none | 1 | >=30,895 | n/a | n/a | n/a | n/a | >=30,904 | 0.0 | 1 | 0 | 0 | 1 | n/a |");
        assertThat(markdown).contains("- a|b: a load; in flight at most 7\n");
    }

    @Test
    void labelsHaveARowEachAndATotal() {
        ResultTable table = new ResultTable()
                .add("load", result(1_000))
                .labels(
                        LABELS,
                        Map.of("count", 1_001.0, "mean_ms", 102.0, "p50_ms", 102.0, "errors", 2.0, "tps", 999.0));

        assertThat(table.text().lines().toList().subList(3, 8))
                .containsExactly(
                        "",
                        "label   count  mean ms  p50  p90  p99  min  max  errors    TPS  KB/s",
                        "browse    801     90.5   90  n/a  n/a  n/a  n/a       2  799.0     8",
                        "pay       200      148  150  n/a  n/a  n/a  n/a       0  200.0   n/a",
                        "total   1,001      102  102  n/a  n/a  n/a  n/a       2  999.0   n/a");
        assertThat(table.text()).contains("n/a\n\nload: a load");
        assertThat(table.markdown()).contains("\n\n| label | count |", "| pay | 200 | 148 |");
        assertThat(new ResultTable().labels(Map.of(), Map.of()).text()).doesNotContain("label");
    }

    @Test
    void withoutLabelsALineHasTheMinimumAndTheBandwidth() {
        ResultTable table = new ResultTable().add("load", result(1_000));

        assertThat(table.labels(Map.of(), Map.of("min_ms", 101.4, "received_kb_per_s", 8.204))
                        .text()
                        .lines())
                .last()
                .isEqualTo("load: minimum 101 ms, received 8.20 KB/s");
        assertThat(new ResultTable()
                        .add("load", result(1_000))
                        .labels(Map.of(), Map.of("min_ms", 0.5))
                        .markdown())
                .endsWith("- load: minimum 0.500 ms\n");
        assertThat(new ResultTable()
                        .add("load", result(1_000))
                        .labels(LABELS, Map.of("min_ms", 0.5))
                        .text())
                .doesNotContain("minimum");
    }

    @Test
    void labelsAreInTheResultFile() throws IOException {
        Path path = folder.resolve("labels.json");
        ResultFile file = file().labelled(LABELS);
        file.write(path);

        assertThat(ResultFile.read(path)).isEqualTo(file);
        JsonNode labels = JsonMapper.shared()
                .readTree(file.json())
                .get("contestants")
                .get(0)
                .get("labels");
        assertThat(labels.propertyNames()).containsExactly("browse", "pay");
        assertThat(labels.get("pay").get(0).get("p50_ms").doubleValue()).isEqualTo(150);
        assertThat(file().json()).doesNotContain("labels");
    }

    @Test
    void anInvalidRunSaysSo() {
        assertThat(new ResultTable().add("x", invalid()).text()).contains("x: INVALID, the generator started");
    }

    @Test
    void theResultFileHasTheKeysThatToolsRelyOn() {
        JsonNode json = JsonMapper.shared().readTree(file().json());

        assertThat(json.propertyNames())
                .containsExactly(
                        "experiment",
                        "version",
                        "command",
                        "seed",
                        "valid",
                        "why_invalid",
                        "machine",
                        "aa_noise_percent",
                        "contestants",
                        "verdicts");
        assertThat(json.get("why_invalid").isNull()).isTrue();
        assertThat(json.get("machine").propertyNames()).containsExactly("cores", "memory_mb", "kernel", "jdk");
        JsonNode contestant = json.get("contestants").get(0);
        assertThat(contestant.get("role").stringValue()).isEqualTo("ours");
        assertThat(contestant.get("blocks").get(0).get("tps").doubleValue()).isEqualTo(999.0);
        assertThat(contestant.get("blocks").get(0).has("p999_ms")).isFalse();
        assertThat(contestant.get("metrics").get("tps").propertyNames()).containsExactly("median", "min", "max");
    }

    @Test
    void aResultFileIsReadBackAsItWasWritten() throws IOException {
        Path path = folder.resolve("result.json");
        file().write(path);

        assertThat(ResultFile.read(path)).isEqualTo(file());
    }

    @Test
    void anInvalidResultSaysWhyInItsFile() {
        ResultFile file = ResultFile.ofLoad("1", "c", 1, "x", Map.of(), invalid());

        assertThat(file.valid()).isFalse();
        assertThat(file.whyInvalid()).startsWith("the generator started");
        assertThat(file.stands()).isEmpty();
        assertThat(file.json()).doesNotContain("stands");
    }

    @Test
    void figuresThatAreRightAllTheSameAreInTheFile() throws IOException {
        Path path = folder.resolve("stands.json");
        ResultFile file =
                ResultFile.ofLoad("1", "c", 1, "x", Map.of(), invalid()).standing(List.of("p50_ms"));
        file.answered(List.of()).labelled(LABELS).write(path);

        assertThat(ResultFile.read(path).stands()).containsExactly("p50_ms");
        assertThat(file.isRight("p50_ms")).isTrue();
        assertThat(file.isRight("p99_ms")).isFalse();
        assertThat(file().isRight("p99_ms")).isTrue();
    }

    @Test
    void whatIsNoResultFileIsRefusedInOneLine() throws IOException {
        Path path = folder.resolve("other.json");
        for (String text : List.of("", "{", "[]", "{}", "{\"experiment\": 1}")) {
            Files.writeString(path, text);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> ResultFile.read(path))
                    .withMessage(path + " is not a result file: use one written with --json");
        }
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> file().write(folder.resolve("missing/result.json")))
                .withMessageStartingWith("cannot write ");
    }

    @Test
    void blocksAreSummedUpByTheirMedian() {
        Contestant contestant = Contestant.of(
                "a",
                Contestant.Role.PEER,
                Map.of(),
                List.of(
                        Map.of("tps", 3.0),
                        Map.of("tps", 1.0, "p99_ms", 5.0),
                        Map.of("tps", 2.0),
                        Map.of("tps", 10.0)));

        assertThat(contestant.metrics())
                .containsEntry("tps", new Contestant.Spread(2.5, 1, 10))
                .containsEntry("p99_ms", new Contestant.Spread(5, 5, 5));
    }

    @Test
    void theLiveLineOfALoadTellsHowFarItIs() {
        LoadRecorder recorder = recorder(1_000, 2 * MS);

        assertThat(LoadProgress.line(at(29_500, recorder)))
                .isEqualTo("29s, 1s left  1,998.0/s  in flight 1  p50 102 ms  p99 102 ms  errors 1");
        assertThat(LoadProgress.line(at(12_300, recorder))).startsWith("12s, 18s left  warming up  in flight 1");
        assertThat(LoadProgress.line(at(31_000, recorder))).startsWith("31s, waiting for the last answers  999.0/s");
    }

    /** Of 30 s, of which the last is measured. */
    private static Progress at(long millis, LoadRecorder recorder) {
        return new Progress(Duration.ofMillis(millis), Duration.ofSeconds(30), 1, recorder.soFar());
    }

    private static ResultFile file() {
        return ResultFile.ofLoad("0.1", "penstock load x", 7, "x", Map.of("rate", "1000"), result(1_000));
    }

    private static LoadResult result(int ended) {
        return LoadResult.of(
                "a load",
                recorder(ended, 2 * MS).finish(31_000 * MS),
                7,
                ended,
                new ProcessUse(50 * MS, 64L << 20, 3, 12 * MS, 9, -1, List.of()));
    }

    private static LoadResult invalid() {
        return LoadResult.of(
                "a load",
                recorder(500, 50 * MS).finish(0),
                7,
                500,
                new ProcessUse(50 * MS, 64L << 20, 3, 12 * MS, 9, -1, List.of()));
    }

    /** So many of 100 ms service time, the first one wrong, and one without an ending; in a window of 1 s. */
    private static LoadRecorder recorder(int ended, long lag) {
        LoadRecorder recorder = new LoadRecorder(0, 1_000 * MS, List.of());
        recorder.started(0, 0);
        for (int i = 0; i < ended; i++) {
            recorder.started(0, 0);
            recorder.ended(i == 0 ? Outcome.WRONG : Outcome.RIGHT, 0, 0, lag, lag + 100 * MS);
        }
        return recorder;
    }
}
