package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.measure.TimeLine.Fault;
import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.Tradeoff;
import dev.penstock.lab.report.Tradeoff.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The text, the tables and the descriptions of pages, as built by page.js in a real browser. */
@Tag("full")
@Tag("full-only")
@Timeout(120)
@NeedsProgram("chromium")
class PageChromiumTest {
    @TempDir
    private static Path folder;

    private static Chromium chromium;

    @BeforeAll
    static void start() throws Exception {
        chromium = Chromium.start(Files.createDirectory(folder.resolve("profile")));
    }

    @AfterEach
    void closeTabs() throws Exception {
        chromium.closeTabs();
    }

    @AfterAll
    static void end() {
        if (chromium != null) {
            chromium.close();
        }
    }

    @Test
    void sectionsAreInOrder() throws Exception {
        assertInOrder(
                html(SampleRace.file()),
                "<h1>http-pool</h1>",
                "<b>Valid</b>",
                "penstock against 13 others",
                "<h2>closings</h2>",
                "open load, 200/s",
                "<h3>Verdicts</h3>",
                "<h4>errors</h4>",
                "<h4>p99 ms</h4>",
                "<h3>Results</h3>",
                "<h3>Over time</h3>",
                "<h4>Latency, p99</h4>",
                "<h4>Throughput</h4>",
                "<h3>Percentiles</h3>",
                "<h3>Calls per transaction</h3>",
                "<h3>Failed blocks</h3>",
                "payment-sdk, round 3: no figures",
                "<h2>speed</h2>",
                "<h2>How it was measured</h2>",
                "±2.10 %",
                "penstock race http-pool --seed 7");
    }

    @Test
    void goalsAndATradeoffAreShown() throws Exception {
        Contestant slow = Contestant.of("slow", Role.PEER, Map.of(), List.of(Map.of("x", 10.0, "y", 50.0)))
                .in("open");
        Contestant quick = Contestant.of("quick", Role.OURS, Map.of(), List.of(Map.of("x", 80.0, "y", 4.0)))
                .in("open");
        Contestant absent =
                Contestant.of("absent", Role.OURS, Map.of(), List.of()).in("open");
        CourseNote note = new CourseNote(
                "open",
                "some",
                1,
                List.of("y"),
                List.of("x", "y"),
                Map.of(),
                List.of(),
                null,
                List.of(new Goal("y at most 3", "4 < 5", false), new Goal("x at most 90", "80", true)),
                new Tradeoff(
                        "x",
                        "y",
                        List.of(),
                        "what theory says",
                        List.of(new Place(9, 55), new Place(20, 22), new Place(80, 3))),
                null);

        assertInOrder(
                html(file(List.of(note), List.of(slow, quick, absent), List.of())),
                "<h3>Goals</h3>",
                "<b>missed</b> y at most 3: 4 &lt; 5",
                "<b>met</b> x at most 90: 80",
                "<h3>Results</h3>",
                "<h3>y against x</h3>",
                "Dashed: what theory says.",
                "x axis: x",
                "slow: 10.0 x, 50.0 y. quick: 80.0 x, 4.00 y.");
    }

    @Test
    void labelsHaveATable() throws Exception {
        ResultFile load = SampleLoad.file("http://127.0.0.1", "penstock load", null);
        assertThat(html(load)).doesNotContain("By label");
        String page = html(load.labelled(Map.of("<pay>", Map.of("count", 1_200.0, "p50_ms", 33.25))));

        assertInOrder(
                page,
                "<h3>By label</h3>",
                "label",
                "mean ms",
                "&lt;pay&gt;",
                "1,200",
                "n/a",
                "33.3",
                ">total</th>",
                "6,000",
                "<h3>Over time</h3>");
    }

    @Test
    void aVerdictIsAWordASignAndANumber() throws Exception {
        assertThat(html(SampleRace.file()))
                .contains("<span class=\"verdict faster\"><i aria-hidden=\"true\">▲</i>FASTER</span>")
                .contains("▼</i>SLOWER", "=</i>SAME", "?</i>INCONCLUSIVE")
                .containsPattern("<span class=\"figure\">0\\.\\d+×</span><small>0\\.\\d+–0\\.\\d+</small>");
    }

    @Test
    void theBestPeerIsBoldAndUnknownValuesAreNotZero() throws Exception {
        String page = html(SampleRace.file());

        assertThat(row(page, "netty")).contains("<b class=\"figure\">199.9</b>");
        assertThat(row(page, "penstock")).doesNotContain("<b ");
        assertThat(row(page, "socket-loop")).contains(">n/a<");
    }

    private static String row(String page, String name) {
        int from = page.indexOf("<span class=\"name\">" + name + "</span>");
        return page.substring(from, page.indexOf("</tr>", from));
    }

    @Test
    void anInvalidResultSaysWhyAtTheTop() throws Exception {
        String page = html(SampleLoad.file("x", "c", "the generator was late"));

        assertInOrder(page, "<b>INVALID</b>: the generator was late", "<h2>x</h2>");
        assertThat(page).doesNotContain("<b>Valid</b>");
    }

    @Test
    void intervalsBeyondTheAxisEndInArrows() throws Exception {
        Comparison unbounded =
                new Comparison(null, "tps", "us", "peer", 1.1, 0, Double.MAX_VALUE, Verdict.INCONCLUSIVE);
        Comparison unknown =
                new Comparison(null, "p99_ms", "us", "peer", Double.NaN, Double.NaN, Double.NaN, Verdict.INCONCLUSIVE);
        String page = html(file(
                List.of(),
                List.of(
                        Contestant.of("us", Role.OURS, Map.of(), List.of(Map.of("tps", 11.0))),
                        Contestant.of("peer", Role.PEER, Map.of(), List.of(Map.of("tps", 10.0)))),
                List.of(unbounded, unknown)));

        assertThat(page.split("class=\"arrow\"", -1)).hasSize(3);
        assertThat(page).contains("<small>0–∞</small>", "<small>n/a–n/a</small>");
    }

    @Test
    void showsAFileWithHardlyAnythingInIt() throws Exception {
        assertThat(html(file(List.of(), List.of(), List.of()))).contains("<h1>none</h1>");
        Contestant bare = Contestant.of("x", Role.PEER, Map.of(), List.of());
        assertThat(html(file(List.of(), List.of(bare, bare.in("other")), List.of())))
                .contains("<h2>other</h2>", "No contestant has results.", "n/a")
                .doesNotContain("NaN", "Infinity", "undefined", ">null<");
    }

    @Test
    void namesStayText() throws Exception {
        String hostile = "</script><b onclick='x'>&\u202ea\u0001";
        String page = html(SampleLoad.file(hostile, hostile, hostile));

        assertThat(page).contains("<h2>&lt;/script&gt;&lt;b onclick='x'&gt;&amp;\ufffda\ufffd</h2>");
        assertThat(page).doesNotContain("<b onclick").doesNotContain("\u202e");
    }

    @Test
    void headingsFollowEachOtherAndTablesAndChartsAreNamed() throws Exception {
        Chromium.Tab tab = open(SampleRace.file());

        assertThat(tab.value("[...document.querySelectorAll('h1, h2, h3, h4')].map(it => Number(it.tagName[1]))"
                                + ".every((level, i, all) => level <= (i ? all[i - 1] : 0) + 1)")
                        .booleanValue())
                .isTrue();
        assertThat(tab.value("document.querySelectorAll('main th:not([scope])').length")
                        .intValue())
                .isZero();
        assertThat(tab.value("[...document.querySelectorAll('.uplot')].filter(it => it.role === 'img'"
                                + " && it.ariaLabel.includes('X axis: ')).length === drawn.length")
                        .booleanValue())
                .isTrue();
        assertThat(tab.value("document.querySelector('#c0-p99_ms .uplot').ariaLabel")
                        .stringValue())
                .startsWith("Latency, p99. One line each for socket-loop, ")
                .contains("X axis: seconds since the start of the load. Y axis: 1,00", " ms. penstock: 1,00");
    }

    @Test
    void aRaceHasAChartOfEachSeriesWithALineOfEachContestant() throws Exception {
        Chromium.Tab tab = open(SampleRace.file());
        tab.value("globalThis.over = overTime(courses[0])");

        assertThat(list(tab, "over.specs.slice(0, 2).map(it => it.title)"))
                .containsExactly("Latency, p99", "Throughput");
        assertThat(tab.value("over.specs.every(it => it.lines.length === 14)").booleanValue())
                .isTrue();
        assertThat(tab.value("JSON.stringify(over.bands[0])").stringValue())
                .isEqualTo("{\"kind\":\"warm-up\",\"from\":0,\"to\":5,\"look\":\"hatch\"}");
        assertThat(tab.value("over.about").stringValue())
                .isEqualTo("The median block of each contestant. Hatched: the warm-up, which does not count. Shaded:"
                        + " faults (fin, rst, header, cut).");
        assertThat(tab.value("overTime(courses[1]).left").stringValue())
                .isEqualTo("Always 0, not plotted: Errors, Generator lag. In the result file only: quarks.");
    }

    @Test
    void aLoadHasRelatedSeriesInOneChart() throws Exception {
        Chromium.Tab tab = open(SampleLoad.file("x", "c", null));
        tab.value("globalThis.over = overTime(courses[0])");

        assertThat(list(tab, "over.specs[0].lines.map(it => it.name)")).containsExactly("p50", "p99", "max");
        assertThat(list(tab, "over.specs[1].lines.map(it => it.name)")).containsExactly("offered", "throughput");
        assertThat(list(tab, "over.specs[0].lines.map(it => it.ours)")).containsExactly("false", "true", "false");
    }

    @Test
    void faultsAtTheSameTimeAreShadedOnceAndOthersOfOursAlone() throws Exception {
        Chromium.Tab apart = open(file(
                List.of(),
                List.of(
                        faulty("peer", Role.PEER, new Fault("fin", 2, 3)),
                        faulty("us", Role.OURS, new Fault("rst", 7, 8))),
                List.of()));
        assertThat(apart.value("overTime(courses[0]).about").stringValue())
                .contains("Shaded: faults (rst) of us; the faults of others were at other times.");
        Chromium.Tab together = open(file(
                List.of(),
                List.of(
                        faulty("peer", Role.PEER, new Fault("fin", 2.1, 3.2)),
                        faulty("us", Role.OURS, new Fault("fin", 2, 3))),
                List.of()));
        assertThat(together.value("JSON.stringify(overTime(courses[0]).bands)").stringValue())
                .isEqualTo("[{\"kind\":\"fin\",\"from\":2,\"to\":3.2,\"look\":\"fault\"}]");
    }

    private static Contestant faulty(String name, Role role, Fault fault) {
        TimeLine line = new TimeLine(0, List.of(1.0, 2.0), Map.of("tps", List.of(1.0, 2.0)), List.of(fault), null);
        return Contestant.of(name, role, Map.of(), List.of()).drawn(Map.of(), line);
    }

    private static ResultFile file(List<CourseNote> notes, List<Contestant> contestants, List<Comparison> verdicts) {
        ResultFile load = SampleLoad.file("x", "c", null);
        return new ResultFile(
                "none", "1", "c", 1, true, null, List.of(), load.machine(), null, notes, contestants, verdicts);
    }

    private static String html(ResultFile file) throws Exception {
        return open(file).value("document.querySelector('main').outerHTML").stringValue();
    }

    /** Not by containsSubsequence, which copies the rest of the text for each of its characters. */
    private static void assertInOrder(String text, String... parts) {
        int from = 0;
        for (String part : parts) {
            int at = text.indexOf(part, from);
            assertThat(at)
                    .as("the place of %s in %s", part, text.substring(from))
                    .isNotNegative();
            from = at + part.length();
        }
    }

    private static Chromium.Tab open(ResultFile file) throws Exception {
        Path page = Files.writeString(Files.createTempFile(folder, "page", ".html"), HtmlReport.of(file));
        Chromium.Tab tab = chromium.tab().sized(1240, 900).load(page);
        assertThat(tab.console()).isEmpty();
        assertThat(tab.value("root.dataset.errors").stringValue()).isEqualTo("0");
        return tab;
    }

    private static List<String> list(Chromium.Tab tab, String expression) throws Exception {
        return tab.value(expression + ".map(String)")
                .valueStream()
                .map(it -> it.stringValue())
                .toList();
    }
}
