package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
    @TempDir
    private Path folder;

    private Path before = Path.of("");
    private Path after = Path.of("");

    @BeforeEach
    void writeTwoResults() throws IOException {
        before = load("before.json", "200/s", 6, 10, null);
        after = load("after.json", "200/s", 6, 15, null);
    }

    @Test
    void printsTheVerdictFirst() {
        Ran ran = compare(before, after);

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines())
                .startsWith(
                        "A " + before, "B " + after, "", "load, pay: B is SLOWER by p50 ms; SAME by TPS, errors", "")
                .anySatisfy(line -> assertThat(line).contains("p50 ms", "1.50 to 1.50", "+---*---", "SLOWER"));
    }

    @Test
    void runComparedWithItselfIsTheSame() {
        assertThat(compare(before, before, "--fail-if-slower").code()).isZero();
        assertThat(compare(before, before).out())
                .contains("B is SAME by TPS, p50 ms, errors")
                .doesNotContain("warning");
    }

    @Test
    void failsWhenSlowerIfAsked() {
        Ran ran = compare(before, after, "--fail-if-slower");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).endsWith("failed: B is slower\n");
        assertThat(compare(after, before, "--fail-if-slower").code()).isZero();
    }

    @Test
    void writesItsResults() throws IOException {
        Path json = folder.resolve("compared.json");
        Path markdown = folder.resolve("compared.md");
        compare(before, after, "--json", json.toString(), "--markdown", markdown.toString());

        ResultFile file = ResultFile.read(json);
        assertThat(file.experiment()).isEqualTo("load");
        assertThat(file.command()).startsWith("penstock compare " + before);
        assertThat(file.contestants()).extracting(Contestant::name).containsExactly("A: pay", "B: pay");
        assertThat(file.verdicts()).anyMatch(verdict -> verdict.verdict() == Verdict.SLOWER);
        assertThat(Files.readString(markdown)).startsWith("## load, pay\n").contains("| p50 ms | 10 | 15 | 1.50 |");
        assertThat(penstock("compare", "--check", json.toString()).code()).isZero();
        assertThat(penstock("compare", "--check", markdown.toString()).err()).contains("contains no table of results");
    }

    @Test
    void invalidResultExitsWith1() throws IOException {
        Ran ran = compare(before, load("bad.json", "200/s", 6, 15, "it lagged"));

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .contains("B is INCONCLUSIVE by TPS, p50 ms, errors")
                .contains("warning: B is INVALID, so there are no verdicts: it lagged");
    }

    @Test
    void severalFilesAreRunsOfOneExperiment() throws IOException {
        String[] names = new String[6];
        for (int i = 0; i < names.length; i++) {
            names[i] =
                    load("run" + i + ".json", "200/s", 1, 10 + i / 100.0, null).toString();
        }
        String all = String.join(",", names);

        assertThat(penstock("compare", all, all).out()).contains("B is SAME by TPS, p50 ms, errors");
        assertThat(penstock("compare", names[0], names[1]).out())
                .contains("B is INCONCLUSIVE by TPS, p50 ms, errors")
                .contains("run each 6 times, alternating, and then: penstock compare a1.json");
    }

    @Test
    void resultsOfOtherGeneratorsAreCompared() throws IOException {
        Path jtl = folder.resolve("results.jtl");
        StringBuilder samples = new StringBuilder("timeStamp,elapsed,label,success\n");
        for (int i = 0; i < 2_000; i++) {
            samples.append(1_700_000_000_000L + 5L * i)
                    .append(',')
                    .append(10 + i % 3)
                    .append(",pay,true\n");
        }
        Files.writeString(jtl, samples);
        Path k6 = folder.resolve("summary.json");
        Files.writeString(k6, """
                {"metrics": {"http_reqs": {"count": 2000, "rate": 200},
                  "http_req_duration": {"avg": 11, "min": 10, "med": 11, "max": 12, "p(90)": 12, "p(95)": 12}}}
                """);

        assertThat(compare(jtl, jtl).out())
                .contains("load, all samples: B is INCONCLUSIVE by TPS")
                .contains("warning: with one run a difference can be shown but not proven");
        assertThat(compare(jtl, k6).out())
                .contains("load, http requests against all samples: B is INCONCLUSIVE by TPS")
                .contains("warning: A is from JMeter and B from k6");
        assertThat(penstock("compare", jtl.toString(), before.toString(), "--label", "none")
                        .err())
                .contains("it contains no samples with the label 'none'; its labels are pay");
    }

    @Test
    void checksTheFiguresOfOneFile() throws IOException {
        Path summary = folder.resolve("summary.json");
        String text = """
                {"metrics": {"http_reqs": {"count": 2000, "rate": 200},
                  "http_req_duration": {"avg": 11, "min": 10, "med": 11, "max": 12, "p(90)": 12, "p(95)": 12}}}
                """;
        Files.writeString(summary, text);
        assertThat(penstock("compare", "--check", summary.toString()))
                .isEqualTo(new Ran(0, "1 row checked, no findings\n", ""));
        Files.writeString(summary, text.replace("\"p(90)\": 12", "\"p(90)\": 9"));
        Ran ran = penstock("compare", "--check", summary.toString());

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .isEqualTo("impossible: http requests: p50 11 ms is above p90 9 ms\n"
                        + "1 row checked, 1 finding: these figures are impossible\n");
    }

    @Test
    void checksATable() throws IOException {
        Path table = folder.resolve("table.csv");
        String text = "run,users,count,mean,time,TPS\n1,50,106724,6.7 s,4 h,7.4\n2,50,206724,6.7 s,4 h,25\n";
        Files.writeString(table, text);
        Ran ran = penstock("compare", "--check", table.toString());

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out())
                .isEqualTo("impossible: 2: 206,724 in 14,400 s are 14.4/s, not 25\n"
                        + "2 rows checked, 1 finding: these figures are impossible\n");
        Files.writeString(table, text.replace("4 h,25", "4 h,14.4"));
        assertThat(penstock("compare", "--check", table.toString()))
                .isEqualTo(new Ran(0, "2 rows checked, no findings\n", ""));
    }

    @Test
    void mentionsRowsThatAreNotSamples() throws IOException {
        Path jtl = folder.resolve("results.jtl");
        Files.writeString(
                jtl,
                "timeStamp,elapsed,label,success\n" + "1700000000000,50,a,true\n".repeat(400)
                        + "1700000070000,55,brow");
        assertThat(penstock("compare", "--check", jtl.toString()).out())
                .contains("note: 1 row that is not a sample was left out, on line 402\n");
    }

    @Test
    void wrongUsageExitsWith2AndPrintsRemedy() throws IOException {
        Path other = load("other.json", "400/s", 6, 10, null);
        wrong("two results A and B are required", "compare");
        wrong("two results A and B are required", "compare", before.toString());
        wrong("--check takes a single file", "compare", "--check", before.toString(), after.toString());
        wrong(
                "does not exist: use an existing file of results",
                "compare",
                before.toString(),
                folder.resolve("no").toString());
        wrong(
                "does not exist: use an existing file of results",
                "compare",
                "--check",
                folder.resolve("no").toString());
        wrong("compare these with --anyway", "compare", before.toString(), other.toString());
        wrong("its folder does not exist", "compare", before + "", after + "", "--json", folder.resolve("no/x") + "");
        assertThat(compare(before, other, "--anyway").out()).contains("warning: A ran \"200/s\" and B \"400/s\"");
    }

    @Test
    void helpShowsAnExample() {
        Ran ran = penstock("compare", "--help");

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("Example:  penstock compare before.json after.json")
                .contains("--check");
        assertThat(penstock("--help").out()).contains("compare");
    }

    private void wrong(String why, String... args) {
        Ran ran = penstock(args);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).startsWith("penstock: ").contains(why).hasLineCount(1);
        assertThat(ran.out()).isEmpty();
    }

    private static Ran compare(Path a, Path b, String... options) {
        String[] args = new String[options.length + 3];
        args[0] = "compare";
        args[1] = a.toString();
        args[2] = b.toString();
        System.arraycopy(options, 0, args, 3, options.length);
        return penstock(args);
    }

    private static Ran penstock(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Penstock.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Ran(code, out.toString(), err.toString());
    }

    private Path load(String name, String load, int blocks, double ms, @Nullable String whyInvalid) throws IOException {
        List<Map<String, Double>> figures = IntStream.range(0, blocks)
                .mapToObj(i -> Map.of("tps", 200 + i / 10.0, "p50_ms", ms, "errors", 0.0))
                .toList();
        Path file = folder.resolve(name);
        new ResultFile(
                        "load",
                        "1",
                        "penstock load",
                        1,
                        whyInvalid == null,
                        whyInvalid,
                        List.of(),
                        new Machine(2, 8_000, "Linux 6", "25.0.1"),
                        null,
                        List.of(),
                        List.of(Contestant.of("pay", Role.OURS, Map.of("load", load), figures)),
                        List.of())
                .write(file);
        return file;
    }
}
