package dev.penstock.lab.page;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The time plots as data for page.js, as JSON inside a script element. Numbers have four digits, five from 1000 on,
 * where latencies differ by little: more would not be visible.
 */
final class PlotData {
    private static final MathContext DIGITS = new MathContext(4);
    private static final MathContext DIGITS_FROM_1000 = new MathContext(5);

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final List<Map<String, Object>> courses = new ArrayList<>();

    /** Adds the plots of a course. */
    void add(CourseView course, TimePlots time) {
        if (!time.plots().isEmpty()) {
            Times times = new Times();
            List<Object> plots =
                    time.plots().stream().<Object>map(plot -> plot(plot, times)).toList();
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("id", course.id());
            json.put("times", times.all);
            json.put("bands", bands(time));
            json.put("plots", plots);
            courses.add(json);
        }
    }

    /** The JSON, without characters that could end the script element or start a comment. */
    String json() {
        return JSON.writeValueAsString(Map.of("courses", courses))
                .replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026");
    }

    private static List<Object> bands(TimePlots time) {
        return time.bands().bands().stream()
                .<Object>map(band -> List.of(band.kind(), number(band.from()), number(band.to()), band.hatched()))
                .toList();
    }

    private static Map<String, Object> plot(Plot plot, Times times) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", plot.id());
        json.put("zero", plot.fromZero());
        json.put("end", number(plot.x().high()));
        json.put("lines", plot.lines().stream().map(line -> line(line, times)).toList());
        return json;
    }

    private static Map<String, Object> line(PlotLine line, Times times) {
        List<@Nullable Number> values = new ArrayList<>();
        for (Double value : line.ys()) {
            values.add(PlotLine.isKnown(value) ? number(Objects.requireNonNull(value)) : null);
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", line.label());
        json.put("look", line.look().css());
        json.put("c", line.contestant());
        json.put("ours", line.ours());
        json.put("t", times.of(line.xs()));
        json.put("v", values);
        return json;
    }

    private static Number number(double value) {
        double rounded = new BigDecimal(value)
                .round(Math.abs(value) < 1000 ? DIGITS : DIGITS_FROM_1000)
                .doubleValue();
        if (rounded == Math.rint(rounded) && Math.abs(rounded) < 1e15) {
            return (long) rounded;
        }
        return rounded;
    }

    /** The time axes of lines, each stored once: most lines of a course share theirs. */
    private static final class Times {
        private final List<List<Number>> all = new ArrayList<>();

        int of(List<Double> seconds) {
            List<Number> rounded =
                    seconds.stream().map(second -> number(second)).toList();
            int place = all.indexOf(rounded);
            if (place < 0) {
                all.add(rounded);
            }
            return place < 0 ? all.size() - 1 : place;
        }
    }
}
