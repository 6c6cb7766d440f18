package dev.penstock.lab.report;

import dev.penstock.lab.report.Comparison.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A comparison of two results as text or Markdown. For each contestant: the verdicts in one line, then a table of
 * medians, ratios of geometric means, and confidence intervals; at the end, warnings about validity.
 *
 * @param file with the contestants of both results, and verdicts whose {@code ours} is B's and whose {@code other}
 *     is A's
 * @param warnings a sentence each
 */
public record ComparisonTable(ResultFile file, List<String> warnings) {
    private static final List<String> HEADINGS =
            List.of("", "A median", "B median", "B / A of means", "95 % interval", "verdict");

    public ComparisonTable {
        warnings = List.copyOf(warnings);
    }

    /** As aligned text, with bars for the intervals. */
    public String text() {
        StringBuilder text = new StringBuilder();
        groups().forEach(group -> text.append(title(group))
                .append(": ")
                .append(summary(group))
                .append("\n\n")
                .append(table(group, true).text())
                .append('\n'));
        warnings.forEach(warning -> text.append("warning: ").append(warning).append('\n'));
        return text.toString();
    }

    /** As Markdown. */
    public String markdown() {
        StringBuilder text = new StringBuilder();
        groups().forEach(group -> text.append("## ")
                .append(title(group))
                .append("\n\n")
                .append(summary(group))
                .append("\n\n")
                .append(table(group, false).markdown())
                .append('\n'));
        warnings.forEach(warning -> text.append("- warning: ").append(warning).append('\n'));
        return text.toString();
    }

    /** The verdicts grouped by contestant. */
    private List<List<Comparison>> groups() {
        return file.verdicts().stream()
                .map(verdict -> verdict.course() + "\n" + verdict.ours())
                .distinct()
                .map(key -> file.verdicts().stream()
                        .filter(verdict -> key.equals(verdict.course() + "\n" + verdict.ours()))
                        .toList())
                .toList();
    }

    private String title(List<Comparison> group) {
        Comparison any = group.getFirst();
        String where = any.course() == null ? file.experiment() : file.experiment() + " / " + any.course();
        String a = any.other().substring(any.other().indexOf(' ') + 1);
        String b = any.ours().substring(any.ours().indexOf(' ') + 1);
        return where + ", " + (a.equals(b) ? a : b + " against " + a);
    }

    private static String summary(List<Comparison> group) {
        List<String> parts = new ArrayList<>();
        for (Verdict verdict : Verdict.values()) {
            String metrics = group.stream()
                    .filter(comparison -> comparison.verdict() == verdict)
                    .map(comparison -> Metric.of(comparison.metric()).title())
                    .collect(Collectors.joining(", "));
            if (!metrics.isEmpty()) {
                parts.add(verdict + " by " + metrics);
            }
        }
        return "B is " + String.join("; ", parts);
    }

    private TextTable table(List<Comparison> group, boolean bars) {
        List<String> headings = new ArrayList<>(HEADINGS);
        if (bars) {
            headings.add(5, IntervalBar.SCALE);
        }
        TextTable table = new TextTable(headings);
        for (Comparison comparison : group) {
            List<String> cells = new ArrayList<>();
            cells.add(Metric.of(comparison.metric()).title());
            cells.add(median(comparison.other(), comparison));
            cells.add(median(comparison.ours(), comparison));
            cells.add(Figures.ratio(comparison.ratio()));
            cells.add(Figures.ratio(comparison.low()) + " to " + Figures.ratio(comparison.high()));
            if (bars) {
                cells.add(IntervalBar.of(comparison.ratio(), comparison.low(), comparison.high()));
            }
            cells.add(comparison.verdict().name());
            table.row(cells);
        }
        return table;
    }

    private String median(String name, Comparison of) {
        return file.contestants().stream()
                .filter(contestant ->
                        contestant.name().equals(name) && Objects.equals(contestant.course(), of.course()))
                .findFirst()
                .map(contestant -> contestant.median(of.metric()))
                .orElse(Figures.NOT_KNOWN);
    }
}
