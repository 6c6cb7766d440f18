package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.Tradeoff;
import dev.penstock.lab.report.Tradeoff.Place;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HtmlReportTest {
    private static final int MOST_BYTES = 600_000;
    private static final String HOSTILE = "</script><script>alert(1)</script><!-- \"'&";

    @TempDir
    private Path folder;

    @Test
    void tellsInThisOrder() {
        assertInOrder(
                HtmlReport.of(SampleRace.file()),
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

    private static void assertInOrder(String page, String... texts) {
        int from = 0;
        for (String text : texts) {
            int at = page.indexOf(text, from);
            assertThat(at).as(text).isNotNegative();
            from = at + text.length();
        }
    }

    @Test
    void goalsAndATradeoffAreShown() {
        Contestant slow = Contestant.of("slow", Role.PEER, Map.of(), List.of(Map.of("x", 10.0, "y", 50.0)))
                .in("open");
        Contestant quick = Contestant.of("quick", Role.OURS, Map.of(), List.of(Map.of("x", 80.0, "y", 4.0)))
                .in("open");
        Contestant absent =
                Contestant.of("absent", Role.OURS, Map.of(), List.of()).in("open");
        Tradeoff tradeoff = new Tradeoff(
                "x",
                "y",
                List.of(),
                "what theory says",
                List.of(new Place(9, 55), new Place(20, 22), new Place(80, 3)));
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
                tradeoff);
        ResultFile sample = SampleRace.file();
        String page = HtmlReport.of(new ResultFile(
                "collapse",
                "1",
                "penstock race collapse",
                1,
                true,
                null,
                sample.machine(),
                null,
                List.of(note),
                List.of(slow, quick, absent),
                List.of()));

        assertInOrder(
                page,
                "<h3>Goals</h3>",
                "<b>missed</b> y at most 3: 4 &lt; 5",
                "<b>met</b> x at most 90: 80",
                "<h3>Results</h3>",
                "<h3>y against x</h3>",
                "Dashed: what theory says.",
                "slow: 10.0 x, 50.0 y.",
                "class=\"theory\"",
                "slow</text>",
                "quick</text>");
        assertThat(page.split("<circle class=\"point", -1)).hasSize(3);
    }

    @Test
    void whatTheHostTookIsToldBesideTheWorkload() {
        ResultFile sample = SampleRace.file();
        String course = sample.courses().getFirst().name();
        Contestant robbed = Contestant.of(
                        "slow", Role.OURS, Map.of(), List.of(Map.of("tps", 1.0, "steal_percent", 2.5)))
                .in(course);
        String page = HtmlReport.of(new ResultFile(
                "http-pool",
                "1",
                "penstock race http-pool",
                1,
                true,
                null,
                sample.machine(),
                null,
                sample.courses(),
                List.of(robbed),
                List.of()));

        assertThat(page).contains("<p class=\"note\">During this course, the host gave 2.5 % of the CPU time");
        assertThat(HtmlReport.of(sample)).doesNotContain("During this course, the host");
    }

    @Test
    void aVerdictIsAWordASignAndANumber() {
        assertThat(HtmlReport.of(SampleRace.file()))
                .contains("<span class=\"verdict faster\"><i aria-hidden=\"true\">▲</i>FASTER</span>")
                .contains("▼</i>SLOWER", "=</i>SAME", "?</i>INCONCLUSIVE")
                .containsPattern("<span class=\"figure\">0\\.\\d+×</span><small>0\\.\\d+–0\\.\\d+</small>");
    }

    @Test
    void theBestPeerIsSetInBoldAndOursIsNot() {
        String row = row(HtmlReport.of(SampleRace.file()), "helidon");
        assertThat(row).contains("<b class=\"figure\">199.9</b>");
        assertThat(row(HtmlReport.of(SampleRace.file()), "penstock")).doesNotContain("<b ");
    }

    @Test
    void aFigureThatIsMissingIsNotZero() {
        assertThat(row(HtmlReport.of(SampleRace.file()), "socket-loop")).contains(">n/a<");
    }

    @Test
    void anInvalidResultSaysWhyAtTheTop() {
        String page = HtmlReport.of(SampleLoad.file("x", "c", "the generator was late"));
        assertInOrder(page, "<b>INVALID</b>: the generator was late", "<h2>x</h2>");
        assertThat(page).doesNotContain("<b>Valid</b>");
    }

    @Test
    void intervalsThatGoOnBeyondTheAxisEndInArrows() {
        Comparison unbounded =
                new Comparison(null, "tps", "us", "peer", 1.1, 0, Double.MAX_VALUE, Verdict.INCONCLUSIVE);
        ResultFile file = file(
                List.of(
                        Contestant.of("us", Role.OURS, Map.of(), List.of(Map.of("tps", 11.0))),
                        Contestant.of("peer", Role.PEER, Map.of(), List.of(Map.of("tps", 10.0)))),
                List.of(unbounded));
        assertThat(HtmlReport.of(file).split("class=\"arrow\"", -1)).hasSize(3);
        assertThat(HtmlReport.of(file)).contains("<small>0–∞</small>");
    }

    @Test
    void fitsAFileWithHardlyAnythingInIt() {
        assertThat(HtmlReport.of(file(List.of(), List.of()))).contains("<h1>none</h1>");
        Contestant bare = Contestant.of("x", Role.PEER, Map.of(), List.of());
        String page = HtmlReport.of(file(List.of(bare, bare.in("other")), List.of()));
        assertThat(page.substring(page.indexOf("<main>"), page.indexOf("</main>")))
                .contains("<h2>other</h2>", "No contestant has results.", "n/a")
                .doesNotContain("NaN", "Infinity", ">null<");
    }

    @Test
    void whatUsersGiveNeverBecomesMarkup() {
        ResultFile file = SampleLoad.file(HOSTILE, "penstock load " + HOSTILE, HOSTILE);
        String page = HtmlReport.of(file);

        assertThat(page.split("<script", -1)).hasSize(4);
        assertThat(page.split("</script", -1)).hasSize(4);
        assertThat(page).doesNotContain("<!-- ").doesNotContain("alert(1)</script>");
        assertThat(island(page)).isNotNull();
    }

    @Test
    void theIslandHoldsWhatIsDrawnAndNullForWhatIsNotKnown() {
        JsonNode course =
                island(HtmlReport.of(SampleRace.file())).get("courses").get(0);

        assertThat(course.get("id").stringValue()).isEqualTo("c0");
        assertThat(course.get("times")).hasSize(1);
        assertThat(course.get("times").get(0)).hasSize(SampleRace.INTERVALS);
        assertThat(course.get("bands")).hasSize(6);
        JsonNode plot = course.get("plots").get(0);
        assertThat(plot.get("lines")).hasSize(14);
        assertThat(plot.get("lines").get(0).get("v").get(0).isNull()).isTrue();
        assertThat(plot.get("lines").get(0).get("v").get(1).doubleValue()).isGreaterThan(1_000);
    }

    @Test
    void asksNothingOfAnyNetworkAndForbidsItselfTo() throws Exception {
        String page = HtmlReport.of(SampleRace.file());
        String policy = found(page, "Content-Security-Policy\" content=\"([^\"]+)\"");

        assertThat(policy).startsWith("default-src &#39;none&#39;;").doesNotContain("unsafe");
        assertThat(page).doesNotContainPattern("(?i)(src|href|action)=\"(?!#|data:,\")");
        assertThat(page).doesNotContainPattern("(?i)url\\((?!#)").doesNotContain("@import");
        for (String inline : inlines(page)) {
            assertThat(policy).contains("sha256-" + sha256(inline));
        }
    }

    @Test
    void isTheSameEachTimeForTheSameFile() {
        assertThat(HtmlReport.of(SampleRace.file())).isEqualTo(HtmlReport.of(SampleRace.file()));
    }

    @Test
    void keepsTheLicenceOfWhatItContains() {
        assertThat(HtmlReport.of(SampleRace.file()))
                .contains("Copyright (c) 2022 Leon Sorokin", "The above copyright notice and this permission notice");
    }

    @Test
    void headingsFollowEachOtherAndTablesAndDrawingsAreNamed() {
        String page = HtmlReport.of(SampleRace.file());
        int last = 0;
        for (Matcher heading = Pattern.compile("<h([1-6])").matcher(page); heading.find(); ) {
            int level = Integer.parseInt(heading.group(1));
            assertThat(level).isLessThanOrEqualTo(last + 1);
            last = level;
        }
        assertThat(page).doesNotContainPattern("<th(?![^>]*scope=)[ >]");
        assertThat(page.split("role=\"img\" height=\"\\d+\" aria-labelledby", -1).length - 1)
                .isEqualTo(page.split("<title id=", -1).length - 1)
                .isEqualTo(page.split("<desc id=", -1).length - 1)
                .isGreaterThan(20);
        assertThat(found(page, "(<title id=\"c0-p99_ms-title\">[^<]+)")).endsWith("Latency, p99, ms");
    }

    @Test
    void isSmallEvenWhenAllSeriesAreNoise() {
        String page = HtmlReport.of(SampleRace.noisy());
        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MOST_BYTES);
    }

    @Test
    void isWrittenInPlaceOfWhatTheFileHeld() throws IOException {
        Path path = folder.resolve("report.html");
        Files.writeString(path, "old".repeat(1_000_000));
        HtmlReport.write(SampleLoad.file("x", "c", null), path);

        assertThat(Files.readString(path))
                .startsWith("<!doctype html>")
                .endsWith("</html>\n")
                .doesNotContain("oldold");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> HtmlReport.write(SampleLoad.file("x", "c", null), folder.resolve("no/report.html")))
                .withMessageStartingWith("cannot write ");
    }

    private static ResultFile file(List<Contestant> contestants, List<Comparison> verdicts) {
        ResultFile load = SampleLoad.file("x", "c", null);
        return new ResultFile("none", "1", "c", 1, true, null, load.machine(), null, List.of(), contestants, verdicts);
    }

    private static String row(String page, String name) {
        return found(page, "(<tr[^>]*><th scope=\"row\"><span class=\"name\">" + name + "</span>.*?</tr>)");
    }

    private static JsonNode island(String page) {
        return JsonMapper.shared()
                .readTree(found(page, "<script type=\"application/json\" id=\"data\">(.*?)</script>"));
    }

    private static List<String> inlines(String page) {
        List<String> inlines = new ArrayList<>();
        Matcher inline =
                Pattern.compile("<(script|style)>(.*?)</\\1>", Pattern.DOTALL).matcher(page);
        while (inline.find()) {
            inlines.add(inline.group(2));
        }
        assertThat(inlines).hasSize(3);
        return inlines;
    }

    private static String sha256(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(digest);
    }

    private static String found(String page, String pattern) {
        Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(page);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }
}
