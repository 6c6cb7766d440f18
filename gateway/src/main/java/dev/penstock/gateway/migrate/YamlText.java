package dev.penstock.gateway.migrate;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Lines of YAML with comments, and values as a flow file has them. For one thread. */
final class YamlText {
    private static final int WIDTH = 120;

    private final StringBuilder text = new StringBuilder();

    /** A line as it is. */
    YamlText line(int depth, String yaml) {
        text.append("  ".repeat(depth)).append(yaml).append('\n');
        return this;
    }

    /** A line with a comment behind it. */
    YamlText line(int depth, String yaml, String comment) {
        return line(depth, yaml + "  # " + comment);
    }

    /** A comment of its own lines, as many as it takes; further ones are indented by {@code hang}. */
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

    /** As {@link #comment(int, String, String)}, not indented. */
    YamlText comment(int depth, String words) {
        return comment(depth, words, "");
    }

    /** What has no place in the flow, with reasons; nothing when there is none. */
    void notCarried(Map<String, List<String>> byReason) {
        if (!byReason.isEmpty()) {
            line(0, "").line(0, "# Not carried over:");
            byReason.forEach((reason, names) -> comment(0, "  " + String.join(", ", names) + ": " + reason, "    "));
        }
    }

    /** A text that stays what it is: nothing in it is filled in, whatever it looks like. */
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
