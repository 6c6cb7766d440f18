package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.lab.kit.Chromium;
import dev.penstock.lab.page.HtmlReport;
import dev.penstock.lab.probe.Recommendation.To;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecommendationTest {
    private static Map<String, String> advised(ProbeFindings findings, To to) {
        return new Recommendation(findings, to)
                .advice().stream().collect(Collectors.toMap(Advice::setting, Advice::value));
    }

    @Test
    void theLimitIsTheUpperEndOfACapAndTheTopOfACurve() {
        assertThat(advised(Findings.of(Findings.capped(10, 9, 11), null, null), To.HTTP))
                .containsEntry("limit", "11")
                .containsEntry("pool.max", "11");
        assertThat(advised(Findings.of(Findings.capped(10, 9, 30), null, null), To.HTTP))
                .containsEntry("limit", "13");
        assertThat(advised(Findings.of(Findings.usl(12), null, null), To.HTTP)).containsEntry("limit", "12");
    }

    @Test
    void whatWasNotReachedStaysAutomatic() {
        KneeFinding far = new KneeFinding(
                Findings.capped(8, 8, 8).points(), null, null, false, 32, 32, 32, 900, "32 at once gave 900");
        assertThat(advised(Findings.of(far, null, null), To.HTTP))
                .containsEntry("limit", "auto")
                .containsEntry("pool.max", "18")
                .doesNotContainKey("queue.time");
    }

    @Test
    void connectionsAreLetGoBeforeTheyAreKilled() {
        ProbeFindings fin = Findings.of(null, Findings.killed(KillKind.FIN), null);
        ProbeFindings silent = Findings.of(null, Findings.killed(KillKind.SILENT), null);
        assertThat(advised(fin, To.HTTP)).containsEntry("pool.idle", "15s");
        assertThat(advised(silent, To.HTTP)).containsEntry("pool.idle", "14s");
        assertThat(advised(silent, To.JDBC)).containsEntry("pool.idle", "29s"); // which halves it itself
        assertThat(advised(silent, To.JMS)).doesNotContainKey("pool.idle");
    }

    @Test
    void aDatabaseIsNotAskedForMoreConnectionsThanItHas() {
        assertThat(advised(Findings.of(Findings.capped(30, 28, 32), null, null), To.JDBC))
                .containsEntry("limit", "32")
                .containsEntry("pool.max", "18");
    }

    @Test
    void aFlowFileHasAReasonAboveEachSetting() {
        Recommendation advised = new Recommendation(
                Findings.of(Findings.capped(10, 9, 11), Findings.killed(KillKind.RST), Findings.batch()), To.HTTP);
        String from = "{ http: { port: 8080, path: / } }";
        String target = "{ http: { url: \"http://peer\" } }";

        assertThat(advised.yaml("probed", from, target, ""))
                .startsWith("flows:\n  probed:\n    from: " + from + "\n    to: " + target + "\n    # ")
                .contains("    deadline: 100ms\n", "    limit: 11\n", "      max: 11\n", "      idle: 15s\n")
                .contains("# collapse: { url: ..., max: 50 } would pay: saves")
                .doesNotContain("\n    collapse:");
        assertThat(advised.yaml("probed", from, target, "http://peer/batch"))
                .contains("    collapse:\n      url: \"http://peer/batch\"\n      # saves\n      max: 50\n");
        assertThat(new Recommendation(advised.findings(), To.JDBC).yaml("probed", from, target, ""))
                .contains("    collapse:\n      # saves\n      max: 50\n", "    limit: auto\n");
    }

    @Test
    void sentencesHaveTheirNumbers() {
        assertThat(new ProbeSentences(Findings.of(
                                Findings.capped(10, 9, 11), Findings.killed(KillKind.SILENT), Findings.batch()))
                        .lines())
                .containsExactly(
                        "round trip: median 20 ms, p99 20 ms, maximum 20 ms, of 400 sequential calls",
                        "the target announces max_connections 20: no more than 20 connections",
                        "concurrency: knee at 10.0 (95 % interval 9.00 to 11.0), throughput 500.0/s there; a capped line"
                                + " fits",
                        "idle connections: killed after about 30 s (silently); seen so",
                        "batching pays: saves",
                        "not measured: announcements: none");
    }

    @Test
    void theFileIsReadAgain(@TempDir Path folder) throws Exception {
        ResultFile file = file();
        Path json = folder.resolve("probe.json");
        file.write(json);

        assertThat(ResultFile.read(json)).isEqualTo(file);
        assertThat(file.contestants().getFirst().metrics())
                .containsKeys("knee", "knee_low", "knee_high", "idle_kill_ms");
    }

    @Test
    void itsPageDrawsTheCurvesAndTheKnee(@TempDir Path folder) throws Exception {
        Optional<Path> program = Chromium.installed();
        assumeTrue(program.isPresent(), "needs a browser: apt-get install chromium");
        Path page = Files.writeString(folder.resolve("probe.html"), HtmlReport.of(file()));
        Path profile = Files.createDirectory(folder.resolve("profile"));

        try (Chromium chromium = Chromium.start(program.orElseThrow(), profile)) {
            Chromium.Tab tab = chromium.tab().load(page);
            assertThat(tab.value("document.querySelector('#c0-knee .uplot').ariaLabel")
                            .stringValue())
                    .contains("The knee is at 10", "20 concurrent calls: 500");
            assertThat(tab.value("document.querySelector('main').innerText").stringValue())
                    .contains("Recommended settings", "idle connections: killed");
            assertThat(tab.value("document.documentElement.dataset.errors").stringValue())
                    .isEqualTo("0");
        }
    }

    private static ResultFile file() {
        ProbeFindings findings = Findings.of(Findings.capped(10, 9, 11), Findings.killed(KillKind.FIN), null);
        return ProbeFile.of("1", "penstock probe http://peer", 1, new Recommendation(findings, To.HTTP));
    }
}
