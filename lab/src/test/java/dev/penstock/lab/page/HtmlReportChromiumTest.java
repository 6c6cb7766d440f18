package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a real browser draws of pages, its errors, and its requests. */
@Tag("full")
@Tag("full-only")
@Timeout(300)
@NeedsProgram("chromium")
class HtmlReportChromiumTest {
    private static final int ACCENT = 0x0068a3;
    /** The shade of a fault on paper. */
    private static final int FAULT = 0xf6e5d6;

    private static final int WIDE = 1240;
    private static final int NARROW = 360;

    /** For closings 11 over time, for speed 10, since series of zeros are not drawn; for each one of percentiles. */
    private static final int PLOTS = 23;

    @TempDir
    private static Path folder;

    private static Chromium chromium;
    private static Path race;
    private static Path load;

    @BeforeAll
    static void start() throws Exception {
        race = Files.writeString(folder.resolve("race.html"), HtmlReport.of(SampleRace.file()));
        load = Files.writeString(
                folder.resolve("load.html"),
                HtmlReport.of(SampleLoad.file("</script><b>'x", "load \"</script><!--", "<i>late")));
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
    void drawsAllPlotsWithoutAnErrorAndWithoutTheNetwork() throws Exception {
        Chromium.Tab tab = chromium.tab().sized(WIDE, 900).load(race);

        assertThat(mark(tab, "plots")).isEqualTo(String.valueOf(PLOTS));
        assertThat(mark(tab, "errors")).isEqualTo("0");
        assertThat(tab.console()).isEmpty();
        assertThat(tab.requests()).allMatch(url -> url.equals(race.toUri().toString()) || url.startsWith("data:"));
        List<JsonNode> boxes = boxes(tab, ".plot .uplot");
        assertThat(boxes).hasSize(PLOTS);
        BufferedImage page = whole(tab);
        for (JsonNode box : boxes) {
            Map<Integer, Integer> colours = colours(part(page, box));
            assertThat(colours).hasSizeGreaterThan(12);
            assertThat(near(colours, ACCENT)).as("pixels of ours").isGreaterThan(150);
        }
    }

    @Test
    void reportsOfOneLoadAreDrawnWhateverTheirNames() throws Exception {
        Chromium.Tab tab = chromium.tab().sized(WIDE, 900).load(load);

        assertThat(mark(tab, "plots")).isEqualTo("7");
        assertThat(mark(tab, "errors")).isEqualTo("0");
        assertThat(tab.console()).isEmpty();
        assertThat(tab.value("document.querySelector('h2').textContent").stringValue())
                .isEqualTo("</script><b>'x");
        assertThat(tab.value("document.scripts.length").intValue()).isEqualTo(3);
    }

    @Test
    void namesWhatRatiosAndColumnsAreOf() throws Exception {
        Chromium.Tab tab = chromium.tab().sized(WIDE, 900).load(race);
        String heads =
                "[...document.querySelectorAll('.ratios:has(.verdict) thead tr')].map(row => row.lastChild.innerText.trim())";

        assertThat(tab.value(heads).valueStream().map(JsonNode::stringValue))
                .isNotEmpty()
                .allMatch(head -> head.equalsIgnoreCase("ratio of means"));
        assertThat(tab.value("document.querySelector('main').innerText").stringValue())
                .contains("Ratios are ours / other, of the geometric means of the blocks", "Medians of the blocks");
    }

    @Test
    void showsTheResultAsTextWithoutScripts() throws Exception {
        Chromium.Tab tab = chromium.tab().withoutScripts().sized(WIDE, 900).load(race);

        assertThat(tab.value("document.querySelector('main').innerText").stringValue())
                .startsWith("http-pool")
                .contains("Valid", "closings, penstock: ", "closings, FASTER: penstock / jetty by errors");
    }

    @Test
    void aNarrowChartOfALoadNamesItsLines() throws Exception {
        Chromium.Tab tab = chromium.tab().sized(400, 800).load(load);
        String names = "[...document.querySelectorAll('#c0-p99_ms .names')].map(it => it.innerText).join()";

        assertThat(tab.value(names).stringValue().split("\\s+")).containsExactly("p50", "p99", "max");
        assertThat(tab.value("document.querySelector('#c0-errors .names').offsetHeight")
                        .intValue())
                .isZero();
        tab.sized(WIDE, 900);
        settled(tab);
        assertThat(tab.value("document.querySelector('#c0-p99_ms .names').offsetHeight")
                        .intValue())
                .isZero();
        assertThat(mark(tab, "errors")).isEqualTo("0");
    }

    @Test
    void fitsANarrowScreenLightAndDarkWithAndWithoutScripts() throws Exception {
        for (Path page : List.of(race, load)) {
            assertThat(overflow(chromium.tab().sized(NARROW, 800).load(page))).isZero();
            assertThat(overflow(chromium.tab().dark().sized(NARROW, 800).load(page)))
                    .isZero();
            assertThat(overflow(
                            chromium.tab().withoutScripts().sized(NARROW, 800).load(page)))
                    .isZero();
        }
    }

    @Test
    void isDarkWhereThatIsWantedAndItsTextHasContrast() throws Exception {
        Chromium.Tab dark = chromium.tab().dark().sized(WIDE, 900).load(race);
        assertThat(luminance(dark, "backgroundColor", "body")).isLessThan(0.02);
        assertThat(mark(dark, "errors")).isEqualTo("0");
        Chromium.Tab light = chromium.tab().sized(WIDE, 900).load(race);
        assertThat(luminance(light, "backgroundColor", "body")).isGreaterThan(0.9);
        for (Chromium.Tab tab : List.of(dark, light)) {
            double paper = luminance(tab, "backgroundColor", "body");
            for (String text : List.of(".note", ".unit", ".brand b", ".legend button", ".figures small", "h2")) {
                assertThat(contrast(luminance(tab, "color", text), paper))
                        .as(text)
                        .isGreaterThan(4.5);
            }
            for (String badge : List.of("faster", "slower", "same", "open")) {
                String span = "span." + badge;
                assertThat(contrast(luminance(tab, "color", span), luminance(tab, "backgroundColor", span)))
                        .as(badge)
                        .isGreaterThan(4.5);
            }
        }
    }

    @Test
    void aCourseHasOneCursorAndItsFiguresStandBesideIt() throws Exception {
        Chromium.Tab tab = chromium.tab().sized(WIDE, 900).load(race);
        Area area = latency(tab);
        tab.mouse(area.at(0.49), area.y());
        tab.mouse(area.at(0.5), area.y());
        settled(tab);

        assertThat(tab.value(cursors("c0")).intValue())
                .isEqualTo(tab.value("courses[0].charts.overTime().length").intValue());
        assertThat(tab.value(cursors("c1")).intValue()).isZero();
        assertThat(tab.value("document.querySelector('.tip').innerText").stringValue())
                .contains("Latency, p99, until 30", "penstock", "socket-loop");
    }

    @Test
    void draggingZoomsAllPlotsOfACourseAndEscapeUndoesIt() throws Exception {
        Chromium.Tab tab = chromium.tab().sized(WIDE, 900).load(race);
        Area area = latency(tab);
        tab.mouse(area.at(0.01), area.y());
        settled(tab);
        int whole = faultPixels(tab);

        // From 15 to 18 s no fault happened.
        tab.drag(area.at(0.25), area.at(0.3), area.y());
        settled(tab);
        assertThat(whole).isGreaterThan(5_000);
        assertThat(faultPixels(tab)).isLessThan(100);

        tab.value(
                "document.querySelector('#c0-tps .uplot').dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))");
        settled(tab);
        assertThat(faultPixels(tab)).isCloseTo(whole, withinPercentage(5));
        assertThat(mark(tab, "errors")).isEqualTo("0");
    }

    @Test
    void theLegendHidesAContestantInAllPlotsOfItsCourseAndShowsItAgain() throws Exception {
        Chromium.Tab tab = chromium.tab().sized(WIDE, 900).load(race);
        String ours = "[...document.querySelectorAll('[data-course=c0] .legend li')]"
                + ".find(item => item.textContent.includes('penstock')).querySelector('button')";
        JsonNode percentiles = boxes(tab, "#c0-percentiles .uplot").getFirst();
        JsonNode rate = boxes(tab, "#c0-tps .uplot").getFirst();

        tab.value(ours + ".click()");
        settled(tab);
        assertThat(tab.value(ours + ".ariaPressed").stringValue()).isEqualTo("false");
        assertThat(near(colours(tab, percentiles), ACCENT)).isZero();
        assertThat(near(colours(tab, rate), ACCENT)).isZero();

        tab.value(ours + ".click()");
        settled(tab);
        assertThat(near(colours(tab, percentiles), ACCENT)).isGreaterThan(150);
        assertThat(near(colours(tab, rate), ACCENT)).isGreaterThan(150);
        assertThat(mark(tab, "errors")).isEqualTo("0");
    }

    @Test
    void printsChartsOnWhitePaper() throws Exception {
        Chromium.Tab tab = chromium.tab().dark().sized(800, 900).load(race);
        tab.value("dispatchEvent(new Event('beforeprint'))");
        settled(tab);
        int accent = near(colours(tab, boxes(tab, "#c0-tps .uplot").getFirst()), ACCENT);
        tab.printed();

        assertThat(accent).as("pixels of ours in the light colour").isGreaterThan(150);
        assertThat(luminance(tab, "backgroundColor", "body")).isEqualTo(1);
        assertThat(overflow(tab)).isZero();
        tab.value("dispatchEvent(new Event('afterprint'))");
        assertThat(tab.value("document.documentElement.style.colorScheme").stringValue())
                .isEmpty();
        assertThat(mark(tab, "errors")).isEqualTo("0");
    }

    /** Where a plot's drawing is among what is seen. */
    private record Area(double x, double width, double y) {
        double at(double share) {
            return x + share * width;
        }
    }

    /** Brings the plot of latency into view. */
    private static Area latency(Chromium.Tab tab) throws Exception {
        tab.value("document.getElementById('c0-p99_ms').scrollIntoView({block: 'center', behavior: 'instant'})");
        settled(tab);
        JsonNode over =
                tab.value("(() => { const b = document.querySelector('#c0-p99_ms .u-over').getBoundingClientRect();"
                        + " return [b.x, b.y, b.width]; })()");
        return new Area(
                over.get(0).doubleValue(),
                over.get(2).doubleValue(),
                over.get(1).doubleValue() + 90);
    }

    /** Of another plot than the one that the mouse is in. */
    private static int faultPixels(Chromium.Tab tab) throws Exception {
        return near(colours(tab, boxes(tab, "#c0-tps .uplot").getFirst()), FAULT);
    }

    private static String mark(Chromium.Tab tab, String name) throws Exception {
        return tab.value("document.documentElement.dataset." + name).stringValue();
    }

    private static int overflow(Chromium.Tab tab) throws Exception {
        return tab.value("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                .intValue();
    }

    /** How many plots of a course show the cursor, not counting those whose cursor stands elsewhere than the first's. */
    private static String cursors(String course) {
        return "(() => { const at = [...document.querySelectorAll('[data-course=" + course + "] .uplot')]"
                + ".map(plot => ({ line: plot.querySelector('.u-cursor-x'), over: plot.querySelector('.u-over') }))"
                + ".filter(one => !one.line.classList.contains('u-off') && one.line.style.transform.includes('px'))"
                + ".map(one => (new DOMMatrix(getComputedStyle(one.line).transform)).e / one.over.clientWidth)"
                + ".filter(share => share > 0);"
                + " return at.filter(share => Math.abs(share - at[0]) < 0.02).length; })()";
    }

    /** Two frames: what was asked for has been drawn then. */
    private static void settled(Chromium.Tab tab) throws Exception {
        tab.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))");
    }

    private static List<JsonNode> boxes(Chromium.Tab tab, String selector) throws Exception {
        JsonNode boxes = tab.value("[...document.querySelectorAll('" + selector + "')].map(it => {"
                + " const b = it.getBoundingClientRect();"
                + " return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })");
        return boxes.valueStream().toList();
    }

    private static Map<Integer, Integer> colours(Chromium.Tab tab, JsonNode box) throws Exception {
        return colours(picture(tab.picture(
                box.get(0).doubleValue(),
                box.get(1).doubleValue(),
                box.get(2).doubleValue(),
                box.get(3).doubleValue())));
    }

    /** All of a page at once: a picture of each of its plots takes twenty times as long. */
    private static BufferedImage whole(Chromium.Tab tab) throws Exception {
        JsonNode size = tab.value("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]");
        return picture(tab.picture(0, 0, size.get(0).doubleValue(), size.get(1).doubleValue()));
    }

    private static BufferedImage part(BufferedImage page, JsonNode box) {
        return page.getSubimage(
                (int) box.get(0).doubleValue(),
                (int) box.get(1).doubleValue(),
                (int) box.get(2).doubleValue(),
                (int) box.get(3).doubleValue());
    }

    private static Map<Integer, Integer> colours(BufferedImage picture) {
        Map<Integer, Integer> colours = new HashMap<>();
        for (int x = 0; x < picture.getWidth(); x++) {
            for (int y = 0; y < picture.getHeight(); y++) {
                colours.merge(picture.getRGB(x, y) & 0xffffff, 1, Integer::sum);
            }
        }
        return colours;
    }

    private static BufferedImage picture(byte[] png) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(png));
    }

    private static int near(Map<Integer, Integer> colours, int colour) {
        return colours.entrySet().stream()
                .filter(entry -> distance(entry.getKey(), colour) < 12)
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private static int distance(int one, int other) {
        int most = 0;
        for (int shift = 0; shift <= 16; shift += 8) {
            most = Math.max(most, Math.abs((one >> shift & 0xff) - (other >> shift & 0xff)));
        }
        return most;
    }

    /** Of a colour that is computed for the first element found (Web Content Accessibility Guidelines 2.2). */
    private static double luminance(Chromium.Tab tab, String property, String selector) throws Exception {
        String colour = tab.value("getComputedStyle(document.querySelector('" + selector + "'))." + property)
                .stringValue();
        String[] parts = colour.replaceAll("[^0-9,.]", "").split(",");
        assertThat(parts).as(selector + " " + colour).hasSize(3);
        double[] weights = {0.2126, 0.7152, 0.0722};
        double luminance = 0;
        for (int i = 0; i < 3; i++) {
            double share = Double.parseDouble(parts[i]) / 255;
            luminance += weights[i] * (share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4));
        }
        return luminance;
    }

    private static double contrast(double one, double other) {
        return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    }
}
