package dev.penstock.lab.report;

import dev.penstock.lab.measure.ChildUse;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.ProcessUse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A table with one row per result, and one more for its failures, as text or Markdown. Times are in ms from the intended start.
 * {@code errors} counts all started transactions without a correct answer; the columns after it count those rejected, unknown
 * and lost.
 *
 * <p>Not thread-safe.
 */
public final class ResultTable {
    private static final List<String> HEADINGS = List.of(
            "",
            "count",
            "mean ms",
            "p50",
            "p90",
            "p99",
            "p99.9",
            "max",
            "TPS",
            "errors",
            "rejected",
            "unknown",
            "lost",
            "lag p99");

    private static final List<String> LABEL_HEADINGS =
            List.of("label", "count", "mean ms", "p50", "p90", "p99", "min", "max", "errors", "TPS", "KB/s");
    private static final List<String> LABEL_KEYS = List.of(
            "count", "mean_ms", "p50_ms", "p90_ms", "p99_ms", "min_ms", "max_ms", "errors", "tps", "received_kb_per_s");

    private final TextTable table = new TextTable(HEADINGS);
    private final List<String> notes = new ArrayList<>();
    private String last = "";
    private @Nullable TextTable labels;
    private @Nullable TextTable answers;

    /** An empty table. */
    public ResultTable() {}

    /**
     * Adds a row.
     *
     * @param name of the target
     * @param result the measurements
     * @return this
     */
    public ResultTable add(String name, LoadResult result) {
        Counts counts = result.counts();
        List<String> row = new ArrayList<>(List.of(name, Figures.count(counts.offered())));
        row.addAll(times(result.response(), result.metrics()));
        row.addAll(List.of(
                Figures.rate(result.tps()),
                Figures.count(counts.errors()),
                Figures.count(counts.rejected()),
                Figures.count(counts.unknown()),
                Figures.count(counts.lost()),
                Figures.ms(result.lag().percentile(99))));
        table.row(row);
        long failures = failures(result);
        if (failures > 0) {
            List<String> cells = new ArrayList<>(List.of(name + ", failures", Figures.count(failures)));
            cells.addAll(times(result.failures(), Map.of()));
            cells.addAll(Collections.nCopies(HEADINGS.size() - cells.size(), ""));
            table.row(cells);
        }
        note(name, result);
        last = name;
        return this;
    }

    private static List<String> times(Latency latency, Map<String, Double> metrics) {
        return List.of(
                Figures.marked(metrics, "mean_ms", Figures.ms(latency.mean())),
                Figures.marked(metrics, "p50_ms", Figures.ms(latency.percentile(50))),
                Figures.marked(metrics, "p90_ms", Figures.ms(latency.percentile(90))),
                Figures.marked(metrics, "p99_ms", Figures.ms(latency.percentile(99))),
                Figures.marked(metrics, "p999_ms", Figures.ms(latency.percentile(99.9))),
                Figures.marked(metrics, "max_ms", Figures.ms(latency.max())));
    }

    private static long failures(LoadResult result) {
        return result.metrics().getOrDefault("failures", 0.0).longValue();
    }

    /** What the times of a row cover. */
    private static String covered(LoadResult result) {
        long unanswered = result.metrics().getOrDefault("unanswered", 0.0).longValue();
        long failures = failures(result);
        return "times are of right answers (" + Figures.count(result.counts().right()) + ")"
                + (unanswered == 0
                        ? ""
                        : ", and of those never answered (" + Figures.count(unanswered)
                                + ") as the time they waited, a lower bound (>=)")
                + (failures == 0 ? "" : "; failures (" + Figures.count(failures) + ") have a row of their own");
    }

    /**
     * Adds a table with one row per label and a total below the first table; without labels, a line with the figures that
     * only such a table has.
     *
     * @param byLabel the metrics of each label
     * @param total the metrics of all transactions
     * @return this
     */
    public ResultTable labels(Map<String, Map<String, Double>> byLabel, Map<String, Double> total) {
        if (!byLabel.isEmpty()) {
            TextTable rows = new TextTable(LABEL_HEADINGS);
            byLabel.forEach((label, metrics) -> rows.row(cells(label, metrics)));
            rows.row(cells("total", total));
            labels = rows;
        } else {
            List<String> others = new ArrayList<>();
            figure(total, "min_ms", "minimum %s ms", others);
            figure(total, "received_kb_per_s", "received %s KB/s", others);
            if (!others.isEmpty()) {
                notes.add(last + ": " + String.join(", ", others));
            }
        }
        return this;
    }

    private static void figure(Map<String, Double> metrics, String key, String text, List<String> to) {
        Double value = metrics.get(key);
        if (value != null) {
            to.add(text.formatted(Figures.number(value)));
        }
    }

    private static List<String> cells(String name, Map<String, Double> metrics) {
        List<String> cells = new ArrayList<>(List.of(name));
        for (String key : LABEL_KEYS) {
            Double tps = key.equals("tps") ? metrics.get(key) : null;
            cells.add(tps == null ? Figures.of(metrics, key) : Figures.rate(tps));
        }
        return cells;
    }

    /**
     * Adds a table of answers by status code below the first table. Does nothing without answers.
     *
     * @param counts in the order of the rows
     * @return this
     */
    public ResultTable answers(List<AnswerCount> counts) {
        if (counts.isEmpty()) {
            return this;
        }
        boolean reported = counts.stream().anyMatch(count -> count.ending() != null);
        answers = new TextTable(reported ? List.of("status", "ending", "answers") : List.of("status", "answers"));
        for (AnswerCount count : counts) {
            String status = Integer.toString(count.status());
            String many = Figures.count(count.count());
            answers.row(reported ? List.of(status, count.format(), many) : List.of(status, many));
        }
        return this;
    }

    /** Adds a line below the table. */
    public ResultTable note(String line) {
        notes.add(line);
        return this;
    }

    /** As aligned text, followed by the notes. */
    public String text() {
        return table.text()
                + (labels == null ? "" : "\n" + labels.text() + (answers == null ? "\n" : ""))
                + (answers == null ? "" : "\n" + answers.text() + "\n")
                + notes.stream().map(note -> note + "\n").collect(Collectors.joining());
    }

    /** As a Markdown table, followed by a list of the notes. */
    public String markdown() {
        return table.markdown() + "\n" + (labels == null ? "" : labels.markdown() + "\n")
                + (answers == null ? "" : answers.markdown() + "\n")
                + notes.stream().map(note -> "- " + note + "\n").collect(Collectors.joining());
    }

    private void note(String name, LoadResult result) {
        notes.add(name + ": " + result.load() + "; in flight at most " + Figures.count(result.inFlightMax()));
        notes.add(name + ": " + covered(result));
        notes.add(name + ": " + use(result));
        result.process().children().forEach(child -> notes.add(name + ": " + use(child, result.ended())));
        Counts counts = result.counts();
        if (counts.errors() > 0) {
            notes.add(name + ": " + causes(counts));
        }
        if (counts.shed() > 0) {
            notes.add(name + ": the generator shed " + Figures.count(counts.shed()) + " transactions");
        }
        if (result.timeLine() != null && result.timeLine().unsteady() != null) {
            notes.add(name + ": " + result.timeLine().unsteady());
        }
        String why = result.validity().whyInvalid();
        if (why != null) {
            notes.add(name + ": INVALID, " + why);
        }
    }

    private static String use(LoadResult result) {
        ProcessUse use = result.process();
        return "this process used " + cpu(use.cpuNanos(), result.ended()) + ", heap at most "
                + Figures.count(use.heapPeak() >> 20) + " MB, "
                + Figures.count(use.gcCount()) + " GC pauses of " + Figures.ms(use.gcNanos()) + " ms in total, "
                + use.threadsPeak() + " platform threads";
    }

    private static String use(ChildUse child, long ended) {
        return child.name() + " used " + cpu(child.cpuNanos(), ended) + ", memory at most "
                + (child.rssPeak() < 0 ? Figures.NOT_KNOWN : Figures.count(child.rssPeak() >> 20) + " MB")
                + (child.ended() ? "; it ended before the load did" : "");
    }

    private static String cpu(long nanos, long ended) {
        return nanos < 0 || ended == 0
                ? "CPU n/a"
                : String.format(Locale.ROOT, "CPU %.2f s (%.0f us per transaction)", nanos / 1e9, nanos / 1e3 / ended);
    }

    private static String causes(Counts counts) {
        List<String> parts = new ArrayList<>();
        counts.causes().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(ending -> ending.getValue().entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .filter(cause -> !cause.getKey().equals("right"))
                        .forEach(cause -> parts.add(
                                ending.getKey() + " (" + cause.getKey() + ") " + Figures.count(cause.getValue()))));
        if (counts.lost() > 0) {
            parts.add("lost " + Figures.count(counts.lost()));
        }
        return String.join(", ", parts);
    }
}
