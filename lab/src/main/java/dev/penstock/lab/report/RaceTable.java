package dev.penstock.lab.report;

import dev.penstock.lab.report.Comparison.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The results of a race as text or Markdown. For each course: the verdicts against each other contestant, their
 * explanation, the table of medians, and the failed blocks. Ratios are of the geometric means of the blocks.
 *
 * @param file the result
 */
public record RaceTable(ResultFile file) {
    /** As aligned text. */
    public String text() {
        return render(TextTable::text, "", "", true);
    }

    /** As Markdown. */
    public String markdown() {
        return render(table -> table.markdown() + "\n", "## ", "- ", false);
    }

    private String render(Function<TextTable, String> form, String heading, String item, boolean bars) {
        StringBuilder text = new StringBuilder();
        for (CourseNote course : file.courses()) {
            text.append(heading)
                    .append(file.experiment())
                    .append(" / ")
                    .append(course.name())
                    .append('\n');
            text.append(item.isEmpty() ? "" : "\n").append(course.workload()).append("\n\n");
            List<Comparison> verdicts = file.verdicts().stream()
                    .filter(verdict -> course.name().equals(verdict.course()))
                    .toList();
            text.append(
                    verdicts.isEmpty() ? noVerdicts(course) + "\n\n" : form.apply(verdicts(course, verdicts, bars)));
            if (course.why() != null) {
                text.append(bars ? "" : "\n")
                        .append("why: ")
                        .append(course.why())
                        .append('\n');
            }
            if (!course.aaNoisePercent().isEmpty()) {
                text.append(bars ? "" : "\n").append(noise(course)).append('\n');
            }
            StealNote.of(file.contestants(course))
                    .ifPresent(note -> text.append(bars ? "" : "\n")
                            .append("during this course, ")
                            .append(note)
                            .append('\n'));
            text.append(bars || course.goals().isEmpty() ? "" : "\n");
            course.goals().forEach(goal -> text.append(item).append(goal(goal)).append('\n'));
            text.append(verdicts.isEmpty() && course.goals().isEmpty() ? "" : "\n")
                    .append(form.apply(figures(course)));
            if (course.tradeoff() != null) {
                text.append(bars ? "\n" : "")
                        .append(course.tradeoff().theory())
                        .append("\n\n")
                        .append(form.apply(tradeoff(course, course.tradeoff())));
            }
            course.blocksFailed()
                    .forEach(line -> text.append(item)
                            .append("block failed: ")
                            .append(line)
                            .append('\n'));
            text.append('\n');
        }
        if (file.whyInvalid() != null) {
            text.append("INVALID, ").append(file.whyInvalid()).append('\n');
        }
        return text.toString();
    }

    private static String noVerdicts(CourseNote course) {
        return course.rounds() == 1
                ? "one block per contestant: no verdicts"
                : "no verdicts: there is no Penstock contestant, or no other to compare it with";
    }

    private static String noise(CourseNote course) {
        return "the same contestant run twice differed by at most "
                + course.judged().stream()
                        .filter(course.aaNoisePercent()::containsKey)
                        .map(key -> String.format(
                                Locale.ROOT,
                                "%.1f %% (%s)",
                                Objects.requireNonNull(course.aaNoisePercent().get(key)),
                                Metric.of(key).title()))
                        .collect(Collectors.joining(", "));
    }

    private TextTable verdicts(CourseNote course, List<Comparison> verdicts, boolean bars) {
        String main = course.judged().getFirst();
        List<String> headings = new ArrayList<>();
        headings.add(verdicts.getFirst().ours() + " against");
        headings.add(Metric.of(main).title());
        headings.add("ratio of means");
        if (bars) {
            headings.add(IntervalBar.SCALE);
        }
        course.judged().stream()
                .skip(1)
                .forEach(key -> headings.add(Metric.of(key).title()));
        TextTable table = new TextTable(headings);
        verdicts.stream().map(Comparison::other).distinct().forEach(other -> {
            List<String> cells = new ArrayList<>();
            cells.add(other);
            Comparison first = find(verdicts, other, main);
            cells.add(first == null ? Figures.NOT_KNOWN : first.verdict().name());
            cells.add(first == null ? Figures.NOT_KNOWN : interval(first));
            if (bars) {
                cells.add(first == null ? "" : IntervalBar.of(first.ratio(), first.low(), first.high()));
            }
            course.judged().stream().skip(1).forEach(key -> cells.add(brief(find(verdicts, other, key))));
            table.row(cells);
        });
        return table;
    }

    private static String goal(Goal goal) {
        return (goal.met() ? "met: " : "MISSED: ") + goal.what() + ": " + goal.found();
    }

    private TextTable tradeoff(CourseNote course, Tradeoff tradeoff) {
        List<String> keys = new ArrayList<>(List.of(tradeoff.across(), tradeoff.upwards()));
        keys.addAll(tradeoff.beside());
        return figures(course, keys);
    }

    private TextTable figures(CourseNote course) {
        return figures(course, course.shown());
    }

    private TextTable figures(CourseNote course, List<String> shown) {
        List<String> headings = new ArrayList<>(List.of("", "role"));
        shown.forEach(key -> headings.add(Metric.of(key).title()));
        TextTable table = new TextTable(headings);
        for (Contestant contestant : file.contestants(course)) {
            List<String> cells = new ArrayList<>();
            cells.add(contestant.name());
            cells.add(contestant.role().name().toLowerCase(Locale.ROOT));
            shown.forEach(key -> cells.add(contestant.median(key)));
            table.row(cells);
        }
        return table;
    }

    private static String interval(Comparison comparison) {
        return Figures.ratio(comparison.ratio()) + " [" + Figures.ratio(comparison.low()) + ", "
                + Figures.ratio(comparison.high()) + "]";
    }

    private static String brief(@Nullable Comparison comparison) {
        return comparison == null
                ? Figures.NOT_KNOWN
                : word(comparison.verdict()) + " " + Figures.ratio(comparison.ratio());
    }

    private static String word(Verdict verdict) {
        return verdict == Verdict.INCONCLUSIVE ? "?" : verdict.name();
    }

    private static @Nullable Comparison find(List<Comparison> verdicts, String other, String key) {
        return verdicts.stream()
                .filter(verdict ->
                        verdict.other().equals(other) && verdict.metric().equals(key))
                .findFirst()
                .orElse(null);
    }
}
