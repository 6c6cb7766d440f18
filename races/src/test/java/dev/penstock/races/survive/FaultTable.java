package dev.penstock.races.survive;

import dev.penstock.lab.report.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The table of faults by subject. A schedule with several faults counts in the row of each of them, and once in the
 * "all" row.
 *
 * <p>Thread-safe.
 */
final class FaultTable {
    private static final List<String> HEADINGS = List.of(
            "subject",
            "fault",
            "schedules",
            "offered",
            "answered",
            "rejected",
            "failed",
            "unknown",
            "lost",
            "doubled",
            "denied",
            "hung",
            "other",
            "recovery s");

    private final Map<Subject, List<Experiment.Result>> results = new LinkedHashMap<>();

    synchronized void add(Experiment.Result result) {
        results.computeIfAbsent(result.schedule().subject(), any -> new ArrayList<>())
                .add(result);
    }

    /** The table as text for a terminal. */
    String text() {
        return table().text();
    }

    private synchronized TextTable table() {
        TextTable table = new TextTable(HEADINGS);
        results.forEach((subject, all) -> {
            for (Fault fault : subject.faults()) {
                table.row(row(subject, fault.title(), with(fault, all)));
            }
            table.row(row(subject, "all", all));
        });
        return table;
    }

    private static List<Experiment.Result> with(Fault fault, List<Experiment.Result> all) {
        return all.stream().filter(result -> result.schedule().has(fault)).toList();
    }

    private static List<String> row(Subject subject, String fault, List<Experiment.Result> all) {
        List<String> cells = new ArrayList<>(List.of(subject.title(), fault, number(all.size())));
        int offered = 0;
        for (Experiment.Result result : all) {
            offered += result.endings().values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        }
        cells.add(number(offered));
        for (Oracle.Ending ending :
                List.of(Oracle.Ending.ANSWERED, Oracle.Ending.REJECTED, Oracle.Ending.FAILED, Oracle.Ending.UNKNOWN)) {
            cells.add(number(all.stream()
                    .mapToInt(result -> result.endings().getOrDefault(ending, 0))
                    .sum()));
        }
        long shown = 0;
        for (Oracle.Rule rule : List.of(Oracle.Rule.LOST, Oracle.Rule.DOUBLED, Oracle.Rule.DENIED, Oracle.Rule.HUNG)) {
            long count = all.stream().mapToLong(result -> result.count(rule)).sum();
            shown += count;
            cells.add(number(count));
        }
        long violations =
                all.stream().mapToLong(result -> result.violations().size()).sum();
        cells.add(number(violations - shown));
        cells.add(all.stream()
                .mapToDouble(Experiment.Result::recovery)
                .filter(Double::isFinite)
                .boxed()
                .max(Double::compare)
                .map("%.2f"::formatted)
                .orElse("n/a"));
        return cells;
    }

    private static String number(long count) {
        return "%,d".formatted(count);
    }
}
