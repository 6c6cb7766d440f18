package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.lab.kit.Chromium;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions of elements.js, charts.js and page.js, called in a real browser. */
@Timeout(120)
@NeedsProgram("chromium")
class PageFunctionsChromiumTest {
    @TempDir
    private static Path folder;

    private static Chromium chromium;
    private static Chromium.Tab tab;

    @BeforeAll
    static void start() throws Exception {
        Path page = Files.writeString(folder.resolve("load.html"), HtmlReport.of(SampleLoad.file("x", "c", null)));
        chromium = Chromium.start(Files.createDirectory(folder.resolve("profile")));
        tab = chromium.tab().load(page);
        tab.value("""
                globalThis.seed = 7;
                globalThis.random = most => (seed = seed * 48271 % 2147483647) / 2147483647 * most;
                globalThis.endsAt = ends => placeLabels(ends.map(end => ({ end })), 150).map(label => label.y);
                globalThis.ranks = (ends, most) => placeLabels(ends.map(end => ({ end })), 150, most).map(label => label.rank);
                globalThis.scaleOf = (low, ratio, high) => ratioScale([{ low, ratio, high }]);
                globalThis.tps = metricOf('tps');
                globalThis.errors = metricOf('errors');
                globalThis.verdict = (ratio, low, high) => ({ ratio, low, high });
                """);
    }

    @AfterAll
    static void end() {
        if (chromium != null) {
            chromium.close();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Numbers have significant digits only.
                "number(0)|0",
                "number(12248.4)|12,248",
                "number(999.4)|999.4",
                "number(199.84)|199.8",
                "number(99.96)|100.0",
                "number(3.958)|3.96",
                "number(0.1237)|0.124",
                "number(0.08)|0.080",
                "number(0.0034)|0.0034",
                "number(0.000012)|0.000012",
                "number(-3.5)|-3.50",
                // An unknown figure is never 0.
                "figure(tps, null)|n/a",
                "figure(tps, NaN)|n/a",
                "figure(tps, Infinity)|n/a",
                "figure(tps, 0)|0",
                // Counts are whole unless their median is not.
                "figure(errors, 1450)|1,450",
                "figure(metricOf('lag_p99_ms'), 266)|266",
                "figure(errors, 16.5)|16.5",
                "figure(errors, 1604.4)|1,604",
                "figure(errors, 0.0004)|0",
                // A ratio has enough digits that its interval shows.
                "ratio(verdict(1.19, 1.15, 1.24))|1.19×",
                "interval(verdict(1.19, 1.15, 1.24))|1.15–1.24",
                "ratio(verdict(0.992, 0.991, 0.993))|0.992×",
                "interval(verdict(0.0042, 0.0038, 0.0046))|0.0038–0.0046",
                "interval(verdict(120, 90, 160))|90.0–160",
                "interval(verdict(2, 0, Number.MAX_VALUE))|0–∞",
                "ratio(verdict('NaN', 'NaN', 'NaN'))|n/a",
                // Ticks.
                "tickLabel(0.075)|0.075",
                "tickLabel(15000)|15,000",
                "tickLabel(250000)|250k",
                "tickLabel(2500000)|2.5M",
                "timeLabels([0, 0.5])|0 s,0.5 s",
                "timeLabels([0, 600, 1800])|0 min,10 min,30 min",
                "percentileAxis(99.9).marks|0,50,90,99,99.9",
                "ratioTick(1)|1×",
                "ratioTick(1 / 1.2)|0.83×",
                "ratioTick(0.05)|0.05×",
                "ratioTick(20)|20×",
                // Labels with room are at the ends of their lines; labels that meet share the room around.
                "endsAt([100, 20])|20,100",
                "endsAt([50, 50])|43.5,56.5",
                "ranks([10, 40, 70], 2)|0,1",
            })
    void returns(String call, String text) throws Exception {
        assertThat(tab.value("String(" + call + ")").stringValue()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Values that are far apart have a logarithmic axis; values close together have one without 0.
                "fitting(1, 5000).log",
                "!fitting(0, 5000).log",
                "fitting(1000, 1100).low >= 900",
                "fitting(10, 100).low === 0",
                "fitting(0, 201, true).high === 250",
                "fitting(0, 200, true).high === 200",
                "fitting(0, 0, true).high === 1",
                "fitting(7, 7).low < 7 && fitting(7, 7).high > 7",
                // All values are on the axis, and its ticks differ.
                """
                Array.from({ length: 500 }, () => [10 ** random(10) / 1000, 10 ** random(10) / 1000].sort((a, b) => a - b)).every(([least, most]) => {
                  const axis = fitting(least, most), marks = ticks(axis);
                  return axis.low <= least * (1 + 1e-9) && axis.high >= most * (1 - 1e-9) && marks.length >= 1 && marks.length <= 12
                      && new Set(marks.map(tickLabel)).size === marks.length
                      && marks.every(v => v >= axis.low * (1 - 1e-9) && v <= axis.high * (1 + 1e-9));
                })
                """,
                // Each decade of percentiles has the same length.
                "Math.abs(percentileAxis(99.9).place(99.9) / percentileAxis(99.9).place(90) - 3) < 1e-9",
                // On the axis of ratios 1 is in the middle, and inverses are equally far from it.
                "scaleOf(0.4, 0.5, 0.6).share(1) === 0.5",
                "Math.abs(scaleOf(0.4, 0.5, 0.6).share(2) + scaleOf(0.4, 0.5, 0.6).share(0.5) - 1) < 1e-12",
                "!scaleOf(0.4, 0.5, 0.6).isBelow(0.4)",
                "scaleOf(0, 0.001, 3).isBelow(0.001) && scaleOf(0, 0.001, 3).isBelow(0) && scaleOf(0, 0.001, 3).share(0) === 0",
                "scaleOf(0, 0.001, 3).isAbove(Number.MAX_VALUE) && !scaleOf(0, 0.001, 3).isAbove(3)",
                """
                [1, 1.03, 1.15, 1.4, 2, 4, 9, 30].map(v => scaleOf(v, v, v)).every(({ share, ticks }) => ticks.includes(1)
                    && ticks.length >= 3 && ticks.length <= 5 && ticks.every((v, i) => i === 0 || share(v) - share(ticks[i - 1]) > 0.2))
                """,
                // Labels do not overlap, stay in the chart and near their lines; the first in rank always has one.
                """
                Array.from({ length: 500 }, () => Array.from({ length: random(20) }, () => random(150))).every(ends => {
                  const placed = placeLabels(ends.map(end => ({ end })), 150);
                  return placed.every(({ y, end }, i) => y >= -1e-6 && y <= 150 + 1e-6
                          && (placed.length === 1 || Math.abs(y - end) <= 2 * GAP + 1e-6)
                          && (i === 0 || y - placed[i - 1].y >= GAP - 1e-6 && end >= placed[i - 1].end))
                      && (ends.length === 0 || placed.some(label => label.rank === 0));
                })
                """,
                // Where lines end close together, the last in rank have no label.
                "[0, 1, 2, 3].every(rank => ranks([100, 20, 145, 100, 100, 100, 100, 100, 100]).includes(rank))",
                "!ranks([100, 20, 145, 100, 100, 100, 100, 100, 100]).includes(8)",
                // A value between unknown ones is a point, not where the other line has values at other times.
                "String(isolated([1, null, 2, null, 3, 4])) === '0,2'",
                "String(isolated([1, undefined, 2, undefined, null, undefined, 5])) === '6'",
            })
    void isTrue(String condition) throws Exception {
        assertThat(tab.value(condition).booleanValue()).isTrue();
    }
}
