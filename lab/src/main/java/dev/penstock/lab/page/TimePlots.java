package dev.penstock.lab.page;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.Contestant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The time plots of a course. With several contestants, each plot shows one series with a line per contestant; with one
 * contestant, each plot shows related series.
 *
 * @param plots those with data, the main ones first
 * @param bands the shaded ranges
 * @param allZero titles of series that were always 0
 * @param notShown names of series unknown to the page
 */
record TimePlots(List<Plot> plots, TimeBands bands, List<String> allZero, List<String> notShown) {
    private static final String TOGETHER = "";

    /**
     * A series known to the page.
     *
     * @param title of its own plot
     * @param unit of its values
     * @param main whether its plot is large
     * @param fromZero whether its axis always starts at 0
     * @param family the plot that it joins when there is one contestant
     * @param label its name there
     */
    private record Known(String title, String unit, boolean main, boolean fromZero, String family, String label) {}

    private static final Map<String, Known> SERIES = new LinkedHashMap<>();

    static {
        SERIES.put("p99_ms", new Known("Latency, p99", "ms", true, false, "Latency", "p99"));
        SERIES.put("tps", new Known("Throughput", "per second", true, true, "Rate", "throughput"));
        SERIES.put("p50_ms", new Known("Latency, p50", "ms", false, false, "Latency", "p50"));
        SERIES.put("max_ms", new Known("Latency, max", "ms", false, false, "Latency", "max"));
        SERIES.put("errors", new Known("Errors", "per second", false, true, TOGETHER, "errors"));
        SERIES.put("rate", new Known("Offered", "per second", false, true, "Rate", "offered"));
        SERIES.put("in_flight", new Known("In flight", "transactions", false, true, TOGETHER, "in flight"));
        SERIES.put("cpu_percent", new Known("CPU", "% of one core", false, true, "CPU", "this process"));
        SERIES.put("child_cpu_percent", new Known("CPU of children", "% of one core", false, true, "CPU", "children"));
        SERIES.put("heap_mb", new Known("Heap in use", "MB", false, true, "Memory", "heap"));
        SERIES.put("child_rss_mb", new Known("Memory of children", "MB", false, true, "Memory", "children"));
        SERIES.put("alloc_mb_per_s", new Known("Allocated", "MB per second", false, true, TOGETHER, "allocated"));
        SERIES.put("gc_ms", new Known("GC pauses", "ms per interval", false, true, TOGETHER, "GC pauses"));
        SERIES.put("threads", new Known("Platform threads", "", false, true, TOGETHER, "threads"));
        SERIES.put("tcp_established", new Known("TCP connections", "of the machine", false, true, TOGETHER, "open"));
        SERIES.put(
                "tcp_retransmits", new Known("TCP retransmits", "per interval", false, true, TOGETHER, "retransmits"));
        SERIES.put("udp_drops", new Known("Datagrams dropped", "per interval", false, true, TOGETHER, "dropped"));
        SERIES.put("lag_ms", new Known("Generator lag", "ms", false, true, TOGETHER, "lag"));
    }

    /** The plots of a course; none without a time line. */
    static TimePlots of(CourseView course) {
        return new Builder(course).build();
    }

    /** Collects one course's plots. */
    private static final class Builder {
        private final CourseView course;
        private final Axis time;
        private final TimeBands bands;
        private final List<Plot> plots = new ArrayList<>();
        private final List<String> allZero = new ArrayList<>();

        Builder(CourseView course) {
            this.course = course;
            this.time = Axis.seconds(course.contestants().stream()
                    .map(Contestant::timeLine)
                    .mapToDouble(line ->
                            line == null || line.at().isEmpty() ? 0 : line.at().getLast())
                    .max()
                    .orElse(0));
            this.bands = TimeBands.of(course);
        }

        TimePlots build() {
            Map<String, List<String>> families = new LinkedHashMap<>();
            SERIES.forEach((key, known) -> families.computeIfAbsent(
                            course.single() && !known.family().equals(TOGETHER) ? known.family() : key,
                            family -> new ArrayList<>())
                    .add(key));
            families.forEach(this::add);
            return new TimePlots(List.copyOf(plots), bands, List.copyOf(allZero), unknown());
        }

        private void add(String family, List<String> keys) {
            List<PlotLine> lines = course.single() ? ofOne(keys) : ofAll(keys.getFirst());
            if (lines.isEmpty()) {
                return;
            }
            Known known = known(keys.getFirst());
            String title = keys.size() > 1 ? family : known.title();
            boolean anything = lines.stream().anyMatch(line -> line.most() != 0 || line.least() != 0);
            if (!anything) {
                allZero.add(title);
                return;
            }
            boolean main = known.main() || family.equals("Latency") || family.equals("Rate");
            plots.add(new Plot(
                    course.id() + "-" + keys.getFirst(),
                    title,
                    known.unit(),
                    main,
                    known.fromZero(),
                    time,
                    "seconds since the start of the load",
                    lines,
                    bands.bands()));
        }

        private List<PlotLine> ofAll(String key) {
            List<PlotLine> lines = new ArrayList<>();
            for (int i = 0; i < course.contestants().size(); i++) {
                Contestant contestant = course.contestants().get(i);
                TimeLine line = contestant.timeLine();
                add(lines, line, key, contestant.name(), course.styles().get(i), i, course.isOurs(i));
            }
            return lines;
        }

        private List<PlotLine> ofOne(List<String> keys) {
            TimeLine line = course.contestants().getFirst().timeLine();
            List<String> there = mainSecond(keys).stream()
                    .filter(key -> line != null && line.series().containsKey(key))
                    .toList();
            List<LineStyle> looks = LineStyle.ofLines(there.size());
            List<PlotLine> lines = new ArrayList<>();
            for (int i = 0; i < there.size(); i++) {
                Known known = known(there.get(i));
                String label = keys.size() == 1 ? known.title() : known.label();
                add(
                        lines,
                        line,
                        there.get(i),
                        label,
                        looks.get(i),
                        i,
                        looks.get(i).accent());
            }
            return lines;
        }

        /** Puts the main series second: after the median, before the maximum. */
        private static List<String> mainSecond(List<String> keys) {
            List<String> order = new ArrayList<>(keys);
            if (order.size() > 1) {
                order.add(1, order.removeFirst());
            }
            return order;
        }

        private static void add(
                List<PlotLine> lines,
                @Nullable TimeLine line,
                String key,
                String label,
                LineStyle look,
                int place,
                boolean ours) {
            List<@Nullable Double> values = line == null ? null : line.series().get(key);
            if (line != null && values != null && values.stream().anyMatch(PlotLine::isKnown)) {
                lines.add(new PlotLine(label, look, place, ours, line.at(), values));
            }
        }

        private List<String> unknown() {
            Set<String> names = new LinkedHashSet<>();
            for (Contestant contestant : course.contestants()) {
                TimeLine line = contestant.timeLine();
                if (line != null) {
                    names.addAll(line.series().keySet());
                }
            }
            names.removeAll(SERIES.keySet());
            return List.copyOf(names);
        }

        private static Known known(String key) {
            Known known = SERIES.get(key);
            if (known == null) {
                throw new IllegalArgumentException("unknown series " + key);
            }
            return known;
        }
    }
}
