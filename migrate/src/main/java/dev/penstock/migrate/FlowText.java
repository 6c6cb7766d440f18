package dev.penstock.migrate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The text of a flow file, written line by line from templates, which are resource files:
 *
 * <pre>
 *   wait: {wait}           the value of "wait", with its origin as a comment; no line without a value, one for each of several
 *   max: {max}  # {max#}   the value, and its origin at this place
 *   max! # max: auto       a line only without a value of "max"; with max? only with one
 *   pool:                  a line only if a deeper one follows
 *   ## many words          a comment, wrapped to lines
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class FlowText {
    private static final int WIDTH = 120;
    private static final Pattern CONDITION = Pattern.compile("([\\w.]+)([?!]) (.*)");
    private static final Pattern PLACE = Pattern.compile("(?<!\\$)\\{([\\w.]+)(#?)}");

    /** What YAML does not allow in a file. */
    private static final Pattern NOT_YAML =
            Pattern.compile("[^\\n\\x20-\\x7e\\u00a0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\x{10000}-\\x{10ffff}]");

    private final StringBuilder text = new StringBuilder();
    private final Deque<String> parents = new ArrayDeque<>();
    private Map<String, List<Value>> values = Map.of();

    /**
     * A value for a template.
     *
     * @param key its name there, for instance {@code retry.attempts}
     * @param yaml how it is written
     * @param comment its origin, for instance {@code maxConnections=1000 (line 3)}
     * @param number the value in milliseconds or bytes, if it is a number or the default of a placeholder; -1 otherwise
     */
    record Value(String key, String yaml, String comment, long number) {
        Value(String key, String yaml, String comment) {
            this(key, yaml, comment, -1);
        }
    }

    /** Writes a template with these values. */
    FlowText write(String template, List<Value> filled) {
        values = filled.stream().collect(Collectors.groupingBy(Value::key));
        for (String line : Table.lines(template)) {
            Matcher condition = CONDITION.matcher(line);
            if (!condition.matches()) {
                fill(line);
            } else if (values.containsKey(condition.group(1))
                    == condition.group(2).equals("?")) {
                fill(condition.group(3));
            }
        }
        return this;
    }

    private void fill(String line) {
        parents.removeIf(parent -> indent(parent).length() >= indent(line).length());
        List<String> keys =
                PLACE.matcher(line).results().map(found -> found.group(1)).toList();
        int count = keys.stream()
                .mapToInt(key -> values.getOrDefault(key, List.of()).size())
                .min()
                .orElse(1);
        for (int at = 0; at < count; at++) {
            add(filled(line, at));
        }
    }

    private String filled(String line, int at) {
        Matcher place = PLACE.matcher(line);
        StringBuilder filled = new StringBuilder();
        String comment = "";
        while (place.find()) {
            Value value = values.getOrDefault(place.group(1), List.of()).get(at);
            comment = value.comment();
            place.appendReplacement(
                    filled, Matcher.quoteReplacement(place.group(2).isEmpty() ? value.yaml() : comment));
        }
        place.appendTail(filled);
        return filled + (comment.isEmpty() || line.contains("#") ? "" : "  # " + comment);
    }

    private void add(String line) {
        if (line.endsWith(":") && !line.contains("#")) {
            parents.addLast(line);
            return;
        }
        parents.forEach(parent -> text.append(parent).append('\n'));
        parents.clear();
        String indent = indent(line);
        if (line.startsWith("## ", indent.length())) {
            comment(indent, line.substring(indent.length() + 3), "");
        } else {
            text.append(line).append('\n');
        }
    }

    private static String indent(String line) {
        return line.substring(0, line.length() - line.stripLeading().length());
    }

    /** Appends a comment, wrapped to lines; continuation lines are indented by {@code hang}. */
    private void comment(String indent, String words, String hang) {
        StringBuilder line = new StringBuilder(indent).append('#');
        for (String word : words.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                text.append(line).append('\n');
                line = new StringBuilder(indent).append('#').append(hang);
            }
            line.append(' ').append(word);
        }
        text.append(line).append('\n');
    }

    /** Appends the list of dropped properties with reasons, if there are any. */
    FlowText dropped(Map<String, List<String>> byReason) {
        if (!byReason.isEmpty()) {
            text.append("\n# Dropped:\n");
            byReason.forEach((reason, names) -> comment("", "  " + String.join(", ", names) + ": " + reason, "    "));
        }
        return this;
    }

    @Override
    public String toString() {
        return NOT_YAML.matcher(text).replaceAll("?");
    }
}
