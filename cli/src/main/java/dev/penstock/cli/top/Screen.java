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
 * @param columns the maximum line width; longer lines are cut, and sentences are wrapped
 */
record Screen(int columns) {
    private static final String ROW = "%-2s%-9s %10s %11s %10s %9s %6s %9s %10s %10s";
    private static final String HEAD =
            ROW.formatted("", "stage", "per s", "service ms", "in flight", "of", "used", "latency", "p50 ms", "p99 ms");
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
        lines.add("  " + counts(flow.path("accounting")));
        if (!flow.path("stages").isEmpty()) {
            lines.add(HEAD);
            flow.path("stages").forEach(stage -> lines.add(stage(stage, flow.path("bottleneck"))));
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

    private static String stage(JsonNode stage, JsonNode bottleneck) {
        String name = text(stage, "stage");
        JsonNode load = load(name, bottleneck);
        boolean bounded = stage.path("capacity").asLong(0) > 0;
        return ROW.formatted(
                        name.equals(text(bottleneck, "stage")) ? MARK : "",
                        name,
                        tenths(load.path("arrivals_per_second")),
                        tenths(load.path("service_ms")),
                        whole(stage.path("in_flight")),
                        bounded ? whole(stage.path("capacity")) : "",
                        bounded ? percent(load.path("utilisation")) : "",
                        percent(load.path("of_latency")),
                        tenths(stage.path("p50_ms")),
                        tenths(stage.path("p99_ms")))
                .stripTrailing();
    }

    private static JsonNode load(String stage, JsonNode bottleneck) {
        for (JsonNode load : bottleneck.path("stages")) {
            if (text(load, "stage").equals(stage)) {
                return load;
            }
        }
        return bottleneck.path("");
    }

    private static void named(String what, JsonNode counts, List<String> lines) {
        StringJoiner all = new StringJoiner(", ");
        counts.properties().forEach(count -> all.add(count.getKey().replace('_', ' ') + " " + whole(count.getValue())));
        if (all.length() > 0) {
            lines.add("  " + what + ": " + all);
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
