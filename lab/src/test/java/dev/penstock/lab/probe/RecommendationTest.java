package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import dev.penstock.lab.page.HtmlReport;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.probe.Recommendation.To;
import dev.penstock.lab.report.ProbeNote.Setting;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecommendationTest {
    private static final String FROM = "{ http: { port: 8080, path: / } }";
    private static final String TARGET = "{ http: { url: \"http://peer\" } }";

    private static Map<String, String> advised(ProbeFindings findings, To to) {
        return new Recommendation(findings, to)
                .advice().stream().collect(Collectors.toMap(Setting::name, Setting::value));
    }

    @Test
    void theLimitIsTheUpperEndOfAFlatKneeAndTheTopOfACurve() {
        assertThat(advised(Findings.of(Findings.flat(10, 9, 11), null, null), To.HTTP))
                .containsEntry("limit", "11")
                .containsEntry("pool.max", "11");
        assertThat(advised(Findings.of(Findings.flat(10, 9, 30), null, null), To.HTTP))
                .containsEntry("limit", "13");
        assertThat(advised(Findings.of(Findings.falling(12), null, null), To.HTTP))
                .containsEntry("limit", "12");
    }

    @Test
    void whatWasNotReachedGoesUpToWhatWasSeenToWork() {
        KneeFinding far = notReached(4);
        assertThat(advised(Findings.announcing(far, new AnnouncedLimit("max_connections", "100", "all")), To.HTTP))
                .containsEntry("limit", "{ min: 1, max: 4 }")
                .containsEntry("pool.max", "4")
                .doesNotContainKey("queue.time");
        assertThat(advised(Findings.announcing(far), To.HTTP))
                .containsEntry("limit", "{ min: 1, max: 4 }")
                .containsEntry("pool.max", "4");
        assertThat(advised(Findings.announcing(notReached(1)), To.HTTP))
                .containsEntry("limit", "1")
                .containsEntry("pool.max", "1");
        assertThat(new Recommendation(Findings.announcing(far), To.HTTP).advice())
                .filteredOn(advice -> advice.name().equals("limit"))
                .extracting(Setting::reason)
                .containsExactly("the knee was not reached: raise --for; 4 is the highest concurrency that was seen to"
                        + " work without an error");
    }

    @Test
    void anInvalidProbeRecommendsNoTimes() {
        KneeFinding knee = Findings.flat(10, 9, 13);
        assertThat(advised(Findings.announcing(knee), To.HTTP)).containsKeys("deadline", "queue.time");
        assertThat(advised(Findings.invalid(knee, "this machine was busy"), To.HTTP))
                .doesNotContainKeys("deadline", "queue.time");
    }

    @Test
    void whatIsAnnouncedBoundsWhatWasSeenToWork() {
        ProbeFindings findings =
                Findings.announcing(notReached(64), new AnnouncedLimit("max_connections", "20", "all"));
        assertThat(advised(findings, To.JDBC))
                .containsEntry("limit", "{ min: 1, max: 19 }")
                .containsEntry("pool.max", "19");
        assertThat(advised(Findings.of(null, null, null), To.JDBC)).containsEntry("pool.max", "19");
    }

    @Test
    void aKneeIsNotRecommendedBeyondWhatWasSeenToWork() {
        KneeFinding knee = Findings.flat(10, 9, 13);
        KneeFinding failing =
                new KneeFinding(knee.points(), knee.beyond(), 10, 9, 13, 500, 11, "throughput is no higher");
        assertThat(advised(Findings.announcing(failing), To.HTTP))
                .containsEntry("limit", "11")
                .containsEntry("pool.max", "11");
    }

    private static KneeFinding notReached(int worked) {
        return new KneeFinding(
                Findings.flat(8, 8, 8).points(), null, worked, worked, worked, 900, worked, "raise --for");
    }

    @Test
    void connectionsAreLetGoBeforeTheyAreKilled() {
        ProbeFindings fin = Findings.of(null, Findings.killed(KillKind.FIN), null);
        ProbeFindings silent = Findings.of(null, Findings.killed(KillKind.SILENT), null);
        assertThat(advised(fin, To.HTTP)).containsEntry("pool.idle", "15s");
        assertThat(advised(silent, To.HTTP)).containsEntry("pool.idle", "14s");
        assertThat(advised(silent, To.JDBC)).containsEntry("pool.idle", "29s"); // which halves it itself
        assertThat(advised(silent, To.BROKER)).doesNotContainKey("pool.idle");
    }

    @Test
    void aDatabaseIsNotAskedForMoreConnectionsThanItHas() {
        assertThat(advised(Findings.of(Findings.flat(30, 28, 32), null, null), To.JDBC))
                .containsEntry("limit", "19")
                .containsEntry("pool.max", "19");
    }

    @Test
    void aFlowFileHasAReasonAboveEachSetting() {
        Recommendation advised = new Recommendation(
                Findings.of(Findings.flat(10, 9, 11), Findings.killed(KillKind.RST), Findings.batch()), To.HTTP);
        assertThat(yaml(advised, ""))
                .startsWith("flows:\n  probed:\n    from: " + FROM + "\n    to: " + TARGET + "\n    # ")
                .contains("    deadline: 100ms\n", "    limit: 11\n", "      max: 11\n", "      idle: 15s\n")
                .contains("# collapse: { url: ..., max: 50 } would pay: saves")
                .doesNotContain("\n    collapse:");
        assertThat(yaml(advised, "http://peer/batch"))
                .contains("    collapse:\n      url: \"http://peer/batch\"\n      # saves\n      max: 50\n");
        assertThat(yaml(new Recommendation(advised.findings(), To.JDBC), ""))
                .contains("    collapse:\n      # saves\n      max: 50\n", "    limit: { min: 1, max: 19 }\n");
    }

    private static String yaml(Recommendation recommended, String batchUrl) {
        return String.join("\n", SettingsText.yaml(recommended, "probed", FROM, TARGET, batchUrl)) + "\n";
    }

    @Test
    void sentencesHaveTheirNumbers() {
        assertThat(new ProbeSentences(Findings.of(
                                Findings.flat(10, 9, 11), Findings.killed(KillKind.SILENT), Findings.batch()))
                        .lines())
                .containsExactly(
                        "round trip: median 20 ms, p99 20 ms, maximum 20 ms, of 400 sequential calls",
                        "the target announces max_connections 20: no more than 20 connections",
                        "concurrency: knee at 10 (95 % interval 9 to 11), throughput 500/s there; throughput is no higher",
                        "idle connections: killed after about 30 s (silently); seen so",
                        "batching pays: saves",
                        "not measured: announcements: none");
    }

    @Test
    void noNumberIsInScientificNotation() {
        List<String> sentences = new ArrayList<>();
        for (double scale : new double[] {0.001, 1, 1_000, 1_000_000}) {
            KneeSearch search = KneeSearch.within(10, 4, KneeSearch.Bound.CONNECTIONS, 0.02, 1);
            for (int level : new int[] {1, 2, 4}) {
                search.record(new KneeObservation(level, 2_000 * scale * level, 1e-3 / scale, 0, 5_000, 0.1, 0, false));
            }
            KneeFinding found = Objects.requireNonNull(search.finding());
            KneeFinding reached = new KneeFinding(
                    found.points(),
                    KneeFinding.Beyond.FLAT,
                    1_234 * scale,
                    1_200 * scale,
                    1_300 * scale,
                    2_000 * scale,
                    (int) Math.ceil(1_300 * scale),
                    found.why());
            BatchSweep sweep = BatchSweep.upTo(4);
            for (int i = 0; i < 9; i++) {
                sweep.succeeded(sweep.next(1e12).orElseThrow(), 1_234 * scale + 0.1 * i);
            }
            for (KneeFinding knee : List.of(found, reached)) {
                ProbeFindings findings = Findings.of(knee, null, sweep.finding().orElseThrow());
                sentences.addAll(new ProbeSentences(findings).lines());
                new Recommendation(findings, To.HTTP)
                        .advice()
                        .forEach(advice -> sentences.add(advice.value() + " " + advice.reason()));
            }
        }
        assertThat(sentences).hasSizeGreaterThan(40).noneMatch(line -> line.matches(".*\\d[eE][+-]\\d.*"));
    }

    @Test
    void anInvalidProbeSaysSoEverywhere() {
        String why = "in 3 of 5 levels of concurrency this machine started calls late";
        ProbeFindings findings = Findings.invalid(Findings.flat(10, 9, 11), why);
        ResultFile file = ProbeFile.of(
                "1", "penstock probe http://peer", 1, findings, new Recommendation(findings, To.HTTP).advice());

        assertThat(new ProbeSentences(findings).lines()).first().isEqualTo("INVALID: " + why);
        assertThat(file.valid()).isFalse();
        assertThat(file.whyInvalid()).isEqualTo(why);
        assertThat(HtmlReport.of(file)).contains("INVALID: " + why);
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
    @NeedsProgram("chromium")
    void itsPageDrawsTheCurvesAndTheKnee(@TempDir Path folder) throws Exception {
        Path page = Files.writeString(folder.resolve("probe.html"), HtmlReport.of(file()));
        Path profile = Files.createDirectory(folder.resolve("profile"));

        try (Chromium chromium = Chromium.start(profile)) {
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
        ProbeFindings findings = Findings.of(Findings.flat(10, 9, 11), Findings.killed(KillKind.FIN), null);
        return ProbeFile.of(
                "1", "penstock probe http://peer", 1, findings, new Recommendation(findings, To.HTTP).advice());
    }
}
