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
 * What a file tells about one course: of a race, or all of it when the file is of something else.
 *
 * @param id unique in the page, a name for links
 * @param name of the course; null when there is only one without a name
 * @param note what the course was; null when the file does not say
 * @param contestants in the file's order
 * @param looks of the contestants, in the same order
 * @param verdicts in the file's order
 */
record CourseView(
        String id,
        @Nullable String name,
        @Nullable CourseNote note,
        List<Contestant> contestants,
        List<LineStyle> looks,
        List<Comparison> verdicts) {
    /** What is shown, in order, where the file does not say. */
    private static final List<String> USUAL = List.of(
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

    /** The courses of a file, in the order in which it names them. */
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

    /** A file with one course need not name it at each contestant. */
    private static @Nullable String courseOf(@Nullable String named, ResultFile file) {
        return named == null && file.courses().size() == 1
                ? file.courses().getFirst().name()
                : named;
    }

    /** For people: its name, or that of its only contestant. */
    String title() {
        if (name != null) {
            return name;
        }
        return single() ? contestants.getFirst().name() : "Result";
    }

    /** Whether there is one contestant only, as in a load. */
    boolean single() {
        return contestants.size() == 1;
    }

    /** The keys of the metrics that its table shows: those of the file, or the usual ones, that anyone has. */
    List<String> shown() {
        List<String> wanted = note == null || note.shown().isEmpty() ? USUAL : note.shown();
        return wanted.stream()
                .filter(key -> contestants.stream()
                        .anyMatch(contestant -> contestant.metrics().containsKey(key)))
                .toList();
    }

    /** The keys of the metrics that verdicts are about, the main one first. */
    List<String> judged() {
        Set<String> keys = new LinkedHashSet<>();
        if (note != null) {
            keys.addAll(note.judged());
        }
        verdicts.forEach(verdict -> keys.add(verdict.metric()));
        keys.retainAll(verdicts.stream().map(Comparison::metric).toList());
        return List.copyOf(keys);
    }

    /** What two runs of the same differed by at most, in percent; null when that was not measured. */
    @Nullable
    Double noise(String metric) {
        return note == null ? null : note.aaNoisePercent().get(metric);
    }

    boolean isOurs(int contestant) {
        return contestants.get(contestant).role() == Role.OURS;
    }
}
