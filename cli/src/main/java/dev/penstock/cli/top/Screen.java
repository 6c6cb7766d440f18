package dev.penstock.cli.top;

import dev.penstock.cli.top.AdminPages.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/**
 * Renders a {@link Snapshot} as lines of text. The line of the bottleneck stage begins with a star, so that it is
 * visible without colours.
 *
 * @param columns the maximum line width; sentences and counts are wrapped, and a table loses its last columns
 */
record Screen(int columns) {
    /** The most useful first: a narrow terminal shows the first ones. */
    private static final List<String> HEAD =
            List.of("  stage", "per s", "in flight", "of", "used", "p50 ms", "p99 ms", "service ms", "latency");

    private static final int GAP = 2;
    private static final List<String> ENDINGS =
            List.of("offered", "answered", "rejected", "failed", "unknown", "in_flight");
    private static final String MARK = "* ";

    /**
     * Renders a snapshot.
     *
     * @param heading the first line
     */
    List<String> of(String heading, Snapshot seen) {
        List<String> lines = new ArrayList<>();
        lines.add(heading);
        for (JsonNode flow : seen.flows()) {
            lines.add("");
            flow(flow, lines);
            settings(flow.path("name").asString(""), seen.settings(), lines);
        }
        return lines.stream().map(this::cut).toList();
    }

    /** Whether a line is that of the bottleneck stage. */
    static boolean isMarked(String line) {
        return line.startsWith(MARK);
    }

    private void flow(JsonNode flow, List<String> lines) {
        lines.add("flow %s  %s -> %s".formatted(text(flow, "name"), text(flow, "from"), text(flow, "to")));
        wrap(text(flow.path("bottleneck"), "sentence"), lines);
        wrap(counts(flow.path("accounting")), lines);
        if (!flow.path("stages").isEmpty()) {
            List<List<String>> rows = new ArrayList<>(List.of(HEAD));
            flow.path("stages").forEach(stage -> rows.add(stage(stage, flow.path("bottleneck"))));
            table(rows, lines);
        }
        named("connections", flow.path("connections"), lines);
        named("messages", flow.path("messages"), lines);
        named("datagrams", flow.path("datagrams"), lines);
        named("lost", flow.path("lost"), lines);
        flow.path("advice").forEach(advice -> wrap("advice: " + advice.asString(""), lines));
    }

    private static String counts(JsonNode account) {
        StringJoiner counts = new StringJoiner("  ");
        ENDINGS.forEach(ending -> counts.add(ending.replace('_', ' ') + " " + whole(account.path(ending))));
        return account.path("holds").asBoolean(true) ? counts.toString() : counts + "  ACCOUNTING NOT BALANCED";
    }

    private static List<String> stage(JsonNode stage, JsonNode bottleneck) {
        String name = text(stage, "stage");
        JsonNode load = load(name, bottleneck);
        boolean bounded = stage.path("capacity").asLong(0) > 0;
        return List.of(
                (name.equals(text(bottleneck, "stage")) ? MARK : "  ") + name,
                tenths(load.path("arrivals_per_second")),
                whole(stage.path("in_flight")),
                bounded ? whole(stage.path("capacity")) : "",
                bounded ? percent(load.path("utilisation")) : "",
                tenths(stage.path("p50_ms")),
                tenths(stage.path("p99_ms")),
                tenths(load.path("service_ms")),
                percent(load.path("of_latency")));
    }

    /** Whole columns only: a number that is cut shows another number. */
    private void table(List<List<String>> rows, List<String> lines) {
        int width = width(rows, 0);
        StringBuilder format = new StringBuilder("%-" + width + "s");
        for (int column = 1; column < HEAD.size(); column++) {
            int cell = GAP + width(rows, column);
            width += cell;
            if (width > columns) {
                break;
            }
            format.append('%').append(cell).append('s');
        }
        rows.forEach(row -> lines.add(format.toString().formatted(row.toArray()).stripTrailing()));
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static JsonNode load(String stage, JsonNode bottleneck) {
        for (JsonNode load : bottleneck.path("stages")) {
            if (text(load, "stage").equals(stage)) {
                return load;
            }
        }
        return bottleneck.path("");
    }

    private void named(String what, JsonNode counts, List<String> lines) {
        StringJoiner all = new StringJoiner(", ");
        counts.properties().forEach(count -> all.add(count.getKey().replace('_', ' ') + " " + whole(count.getValue())));
        if (all.length() > 0) {
            wrap(what + ": " + all, lines);
        }
    }

    /** Only learned and pinned settings: the others do not change. */
    private void settings(String flow, JsonNode all, List<String> lines) {
        for (JsonNode of : all) {
            if (text(of, "name").equals(flow)) {
                for (JsonNode setting : of.path("settings")) {
                    String source = text(setting, "source");
                    if (source.equals("learned") || source.equals("pinned")) {
                        wrap(
                                "%s %s (%s): %s"
                                        .formatted(
                                                text(setting, "name"),
                                                text(setting, "value"),
                                                source,
                                                text(setting, "reason")),
                                lines);
                    }
                }
            }
        }
    }

    private void wrap(String text, List<String> lines) {
        StringBuilder line = new StringBuilder(" ");
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > columns && !line.toString().isBlank()) {
                lines.add(line.toString());
                line = new StringBuilder("   ");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
    }

    private String cut(String line) {
        return line.length() <= columns ? line : line.substring(0, columns);
    }

    private static String text(JsonNode of, String name) {
        return printable(of.path(name).asString(""));
    }

    /** Removes control characters, so that data from the network cannot control the terminal. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }

    private static String whole(JsonNode number) {
        return number.isNumber() ? String.format(Locale.ROOT, "%,d", number.asLong()) : "";
    }

    private static String tenths(JsonNode number) {
        return number.isNumber() ? String.format(Locale.ROOT, "%,.1f", number.asDouble()) : "";
    }

    private static String percent(JsonNode share) {
        return share.isNumber() ? String.format(Locale.ROOT, "%.0f %%", 100 * share.asDouble()) : "";
    }
}
