package dev.penstock.gateway.migrate;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Writes YAML lines with comments, and values in flow file notation. Not thread-safe. */
final class YamlText {
    private static final int WIDTH = 120;

    private final StringBuilder text = new StringBuilder();

    /** Appends a line. */
    YamlText line(int depth, String yaml) {
        text.append("  ".repeat(depth)).append(yaml).append('\n');
        return this;
    }

    /** Appends a line with a trailing comment. */
    YamlText line(int depth, String yaml, String comment) {
        return line(depth, yaml + "  # " + comment);
    }

    /** Appends a comment, wrapped to lines; continuation lines are indented by {@code hang}. */
    YamlText comment(int depth, String words, String hang) {
        String start = "  ".repeat(depth) + "#";
        StringBuilder line = new StringBuilder(start);
        for (String word : words.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(start).append(hang);
            }
            line.append(' ').append(word);
        }
        text.append(line).append('\n');
        return this;
    }

    /** As {@link #comment(int, String, String)}, without indentation. */
    YamlText comment(int depth, String words) {
        return comment(depth, words, "");
    }

    /** Appends the list of dropped properties with reasons, if there are any. */
    void dropped(Map<String, List<String>> byReason) {
        if (!byReason.isEmpty()) {
            line(0, "").line(0, "# Dropped:");
            byReason.forEach((reason, names) -> comment(0, "  " + String.join(", ", names) + ": " + reason, "    "));
        }
    }

    /** A quoted text in which nothing is taken for a placeholder. */
    static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("${", "$${") + '"';
    }

    /** A duration in its largest unit without a fraction, for instance {@code 130s} or {@code 5m}. */
    static String time(Duration time) {
        long millis = time.toMillis();
        if (millis == 0) {
            return "0";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
