package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.ResultFile;
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
    private static final int MOST_BYTES = 700_000;
    private static final String HOSTILE = "</script><script>alert(1)</script><!-- \"'&";

    @TempDir
    private Path folder;

    @Test
    void containsTheResultFile() {
        ResultFile file = SampleRace.file();

        assertThat(data(file).get("result")).isEqualTo(JsonMapper.shared().readTree(file.json()));
        assertThat(data(file).get("metrics").get("p99_ms"))
                .hasToString("{\"key\":\"p99_ms\",\"title\":\"p99 ms\",\"better\":\"LOWER\",\"count\":false}");
    }

    @Test
    void namesTheTimeStolenByTheHost() {
        ResultFile sample = SampleRace.file();
        String course = sample.courses().getFirst().name();
        Contestant robbed = Contestant.of(
                        "slow", Role.OURS, Map.of(), List.of(Map.of("tps", 1.0, "steal_percent", 2.5)))
                .in(course);
        ResultFile file = new ResultFile(
                "http-pool",
                "1",
                "penstock race http-pool",
                1,
                true,
                null,
                List.of(),
                sample.machine(),
                null,
                sample.courses(),
                List.of(robbed),
                List.of());

        assertThat(data(file).get("steal").get(course).stringValue()).startsWith("the host gave 2.5 % of the CPU time");
        assertThat(data(sample).get("steal")).isEmpty();
    }

    @Test
    void hasTheResultAsTextForReadersWithoutScripts() {
        assertThat(text(SampleRace.file()))
                .startsWith("Valid\n\nclosings: open load, 200/s")
                .contains(
                        "closings, netty: count 12,000, TPS 200",
                        "closings, FASTER: penstock / jetty by errors is 0.0",
                        "penstock race http-pool --seed 7");
        assertThat(text(SampleLoad.file("x", "c", "the generator was late")))
                .startsWith("INVALID: the generator was late\n\nx: count 6,000");
    }

    @Test
    void namesNeverBecomeMarkup() {
        ResultFile file = SampleLoad.file(HOSTILE, "penstock load " + HOSTILE, HOSTILE);
        String page = HtmlReport.of(file);

        assertThat(page.split("<script", -1)).hasSize(4);
        assertThat(page.split("</script", -1)).hasSize(4);
        assertThat(page).doesNotContain("<!-- ").doesNotContain("alert(1)</script>");
        assertThat(data(file).get("result").get("command").stringValue()).isEqualTo("penstock load " + HOSTILE);
    }

    @Test
    void usesNoNetworkAndForbidsIt() throws Exception {
        String page = HtmlReport.of(SampleRace.file());
        String policy = found(page, "Content-Security-Policy\" content=\"([^\"]+)\"");

        assertThat(policy).startsWith("default-src 'none';").doesNotContain("unsafe");
        assertThat(page).doesNotContainPattern("(?i)(src|href|action)=\"(?!#|data:,\")");
        assertThat(page).doesNotContainPattern("(?i)url\\((?!#)").doesNotContain("@import");
        for (String inline : inlines(page)) {
            assertThat(policy).contains("sha256-" + sha256(inline));
        }
    }

    @Test
    void isTheSameEachTime() {
        assertThat(HtmlReport.of(SampleRace.file())).isEqualTo(HtmlReport.of(SampleRace.file()));
    }

    @Test
    void containsTheLicenceOfUPlot() {
        assertThat(HtmlReport.of(SampleRace.file()))
                .contains("Copyright (c) 2022 Leon Sorokin", "The above copyright notice and this permission notice");
    }

    @Test
    void isSmallEvenWhenAllSeriesAreNoise() {
        String page = HtmlReport.of(SampleRace.noisy());
        assertThat(page.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MOST_BYTES);
    }

    @Test
    void replacesAnExistingFile() throws IOException {
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

    private static JsonNode data(ResultFile file) {
        return JsonMapper.shared()
                .readTree(found(HtmlReport.of(file), "<script type=\"application/json\" id=\"data\">(.*?)</script>"));
    }

    private static String text(ResultFile file) {
        return found(HtmlReport.of(file), "<pre>(.*?)</pre></noscript>");
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
