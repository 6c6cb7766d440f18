package dev.penstock.lab.page;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The part of a file about one course of a race, or the whole file of any other experiment.
 *
 * @param id unique in the page, used in links
 * @param name of the course; null when there is only one, unnamed
 * @param note the description of the course; null when the file has none
 * @param contestants in the file's order
 * @param styles line styles of the contestants, in the same order
 * @param verdicts in the file's order
 */
record CourseView(
        String id,
        @Nullable String name,
        @Nullable CourseNote note,
        List<Contestant> contestants,
        List<LineStyle> styles,
        List<Comparison> verdicts) {
    /** The metrics shown, in order, when the file does not list any. */
    private static final List<String> DEFAULT_METRICS = List.of(
            "tps",
            "mean_ms",
            "p50_ms",
            "p90_ms",
            "p99_ms",
            "p999_ms",
            "max_ms",
            "errors",
            "rejected",
            "failed",
            "unknown",
            "wrong",
            "lost",
            "shed",
            "duplicates",
            "lag_p99_ms",
            "in_flight_max",
            "connections_opened",
            "downstream_calls_per_s",
            "cpu_us_per_tx",
            "alloc_kb_per_tx",
            "heap_peak_mb",
            "gc_pause_ms",
            "goodput",
            "ns_per_call",
            "bytes_per_call");

    /** The courses of a file, in its order. */
    static List<CourseView> of(ResultFile file) {
        Set<@Nullable String> names = new LinkedHashSet<>();
        file.courses().forEach(note -> names.add(note.name()));
        file.contestants().forEach(contestant -> names.add(courseOf(contestant.course(), file)));
        List<CourseView> views = new ArrayList<>();
        for (String name : names) {
            views.add(of(file, name, "c" + views.size()));
        }
        return List.copyOf(views);
    }

    private static CourseView of(ResultFile file, @Nullable String name, String id) {
        CourseNote note = file.courses().stream()
                .filter(course -> course.name().equals(name))
                .findFirst()
                .orElse(null);
        List<Contestant> contestants = file.contestants().stream()
                .filter(contestant -> Objects.equals(courseOf(contestant.course(), file), name))
                .toList();
        List<Comparison> verdicts = file.verdicts().stream()
                .filter(verdict -> Objects.equals(courseOf(verdict.course(), file), name))
                .toList();
        return new CourseView(id, name, note, contestants, LineStyle.of(contestants), verdicts);
    }

    /** A file with one course may omit its name at the contestants. */
    private static @Nullable String courseOf(@Nullable String named, ResultFile file) {
        return named == null && file.courses().size() == 1
                ? file.courses().getFirst().name()
                : named;
    }

    /** The title: its name, or that of its only contestant. */
    String title() {
        if (name != null) {
            return name;
        }
        return single() ? contestants.getFirst().name() : "Result";
    }

    /** Whether there is only one contestant, as in a load. */
    boolean single() {
        return contestants.size() == 1;
    }

    /**
     * The keys of the metrics in its table: those listed in the file, or the default ones, as far as any contestant has
     * them.
     */
    List<String> shown() {
        List<String> wanted = note == null || note.shown().isEmpty() ? DEFAULT_METRICS : note.shown();
        return wanted.stream()
                .filter(key -> contestants.stream()
                        .anyMatch(contestant -> contestant.metrics().containsKey(key)))
                .toList();
    }

    /** The keys of the metrics with verdicts, the main one first. */
    List<String> judged() {
        Set<String> keys = new LinkedHashSet<>();
        if (note != null) {
            keys.addAll(note.judged());
        }
        verdicts.forEach(verdict -> keys.add(verdict.metric()));
        keys.retainAll(verdicts.stream().map(Comparison::metric).toList());
        return List.copyOf(keys);
    }

    /** The maximum difference between two runs of the same contestant, in percent; null when not measured. */
    @Nullable
    Double noise(String metric) {
        return note == null ? null : note.aaNoisePercent().get(metric);
    }

    boolean isOurs(int contestant) {
        return contestants.get(contestant).role() == Role.OURS;
    }
}
