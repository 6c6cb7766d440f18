package dev.penstock.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * A table of the loads of a series of runs, one row each or one per label, sorted by what was varied, with a total.
 *
 * <p>Not thread-safe.
 */
public final class RunBook {
    private static final List<String> HEADINGS =
            List.of("count", "mean ms", "median", "90 %", "min", "max", "errors", "TPS", "KB/s");
    private static final List<String> KEYS =
            List.of("count", "mean_ms", "p50_ms", "p90_ms", "min_ms", "max_ms", "errors", "tps", "received_kb_per_s");
    private static final String LABEL = "label";
    private static final Pattern USERS = Pattern.compile("closed load, (\\d+) users\\b.*");
    private static final Pattern RATE = Pattern.compile("open load, ([0-9.,]+)/s\\b.*");
    private static final Pattern NOTE = Pattern.compile("(\\w[\\w.-]*)\\s*=\\s*([^\\s,;]+)");

    private final List<String> by;
    private final List<Row> rows = new ArrayList<>();

    private record Row(List<String> cells, Map<String, Double> metrics) {}

    /**
     * A table without rows.
     *
     * @param by what was varied, in the order of the columns: {@code users} or {@code rate} of the load, {@code label} for
     *     a row per label, a setting of the result file, or a NAME of NAME=VALUE in its note
     */
    public RunBook(List<String> by) {
        this.by = List.copyOf(by);
    }

    /**
     * Adds the load of a result file; ignores other experiments.
     *
     * @param name of the run
     * @return whether it was added
     */
    public boolean add(String name, ResultFile file) {
        if (!file.experiment().equals("load") || file.contestants().size() != 1) {
            return false;
        }
        Contestant load = file.contestants().getFirst();
        String run = file.valid() ? name : name + " (INVALID)";
        Map<String, String> varied = varied(load.settings());
        if (by.contains(LABEL) && !load.labels().isEmpty()) {
            load.labels().forEach((label, blocks) -> {
                varied.put(LABEL, label);
                add(run, varied, blocks);
            });
        } else {
            add(run, varied, load.blocks());
        }
        return true;
    }

    private void add(String run, Map<String, String> varied, List<Map<String, Double>> blocks) {
        List<String> cells = new ArrayList<>(List.of(run));
        by.forEach(key -> cells.add(varied.getOrDefault(key, Figures.NOT_KNOWN)));
        blocks.forEach(block -> rows.add(new Row(cells, block)));
    }

    private static Map<String, String> varied(Map<String, String> settings) {
        Map<String, String> varied = new LinkedHashMap<>(settings);
        String load = settings.getOrDefault("load", "");
        Matcher users = USERS.matcher(load);
        if (users.matches()) {
            varied.put("users", users.group(1));
        }
        Matcher rate = RATE.matcher(load);
        if (rate.matches()) {
            varied.put("rate", rate.group(1));
        }
        NOTE.matcher(settings.getOrDefault("note", ""))
                .results()
                .forEach(pair -> varied.put(pair.group(1), pair.group(2)));
        return varied;
    }

    /** As aligned text. */
    public String text() {
        return table().text();
    }

    /** As a Markdown table. */
    public String markdown() {
        return table().markdown();
    }

    private TextTable table() {
        List<String> headings = new ArrayList<>(List.of("run"));
        headings.addAll(by);
        headings.addAll(HEADINGS);
        TextTable table = new TextTable(headings);
        rows.stream().sorted(Comparator.comparing(Row::cells, RunBook::order)).forEach(row -> table.row(cells(row)));
        if (rows.size() > 1) {
            table.row(cells(total()));
        }
        return table;
    }

    /** By the varied columns, numbers before text; then by name. */
    private static int order(List<String> a, List<String> b) {
        for (int i = 1; i < a.size(); i++) {
            int order = order(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return order(a.getFirst(), b.getFirst());
    }

    private static int order(String a, String b) {
        boolean numbers = isNumber(a) && isNumber(b);
        return numbers ? Double.compare(Double.parseDouble(a), Double.parseDouble(b)) : a.compareTo(b);
    }

    private static boolean isNumber(String text) {
        return text.matches("\\d{1,15}(\\.\\d{1,15})?");
    }

    private static List<String> cells(Row row) {
        List<String> cells = new ArrayList<>(row.cells());
        for (String key : KEYS) {
            cells.add(Figures.of(row.metrics(), key));
        }
        return cells;
    }

    /** Sums, extremes and the mean of all transactions; a median, a rate and a bandwidth of all do not exist. */
    private Row total() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", all("count").sum());
        metrics.put("errors", all("errors").sum());
        all("min_ms").min().ifPresent(least -> metrics.put("min_ms", least));
        all("max_ms").max().ifPresent(most -> metrics.put("max_ms", most));
        double counted = 0;
        double sum = 0;
        for (Row row : rows) {
            double count = row.metrics().containsKey("mean_ms") ? row.metrics().getOrDefault("count", 0.0) : 0;
            counted += count;
            sum += count * row.metrics().getOrDefault("mean_ms", 0.0);
        }
        if (counted > 0) {
            metrics.put("mean_ms", sum / counted);
        }
        String[] cells = new String[1 + by.size()];
        Arrays.fill(cells, "");
        cells[0] = "total";
        all("unanswered_min_ms").min().ifPresent(least -> metrics.put("unanswered_min_ms", least));
        return new Row(List.of(cells), metrics);
    }

    private DoubleStream all(String key) {
        return rows.stream()
                .filter(row -> row.metrics().containsKey(key))
                .mapToDouble(row -> row.metrics().get(key));
    }
}
