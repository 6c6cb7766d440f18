package dev.penstock.migrate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes part of a flow file from a resource file, line by line:
 *
 * <pre>
 *   wait: {wait}           the value of "wait", with its origin as a comment; no line without a value, one for each of several
 *   max: {max}  # {max#}   the value, and its origin at this place
 *   max! # max: auto       a line only without a value of "max"; with max? only with one
 *   pool:                  a line only if a deeper one follows
 *   ## many words          a comment, wrapped to lines
 * </pre>
 */
final class Template {
    private static final Pattern CONDITION = Pattern.compile("([\\w.]+)([?!]) (.*)");
    private static final Pattern PLACE = Pattern.compile("(?<!\\$)\\{([\\w.]+)(#?)}");

    private final Map<String, List<FlowLine>> values;
    private final YamlText yaml;
    private final Deque<String> parents = new ArrayDeque<>();

    private Template(List<FlowLine> values, YamlText yaml) {
        this.values = values.stream().collect(Collectors.groupingBy(FlowLine::key));
        this.yaml = yaml;
    }

    static void write(String file, List<FlowLine> values, YamlText yaml) {
        Template template = new Template(values, yaml);
        for (String line : Table.lines(file)) {
            Matcher condition = CONDITION.matcher(line);
            if (!condition.matches()) {
                template.write(line);
            } else if (template.values.containsKey(condition.group(1))
                    == condition.group(2).equals("?")) {
                template.write(condition.group(3));
            }
        }
    }

    private void write(String line) {
        parents.removeIf(parent -> indent(parent) >= indent(line));
        for (String filled : filled(line)) {
            if (filled.endsWith(":") && !filled.contains("#")) {
                parents.addLast(filled);
            } else {
                parents.forEach(parent -> yaml.line(0, parent));
                parents.clear();
                if (filled.startsWith("## ", indent(filled))) {
                    yaml.comment(indent(filled) / 2, filled.substring(indent(filled) + 3));
                } else {
                    yaml.line(0, filled);
                }
            }
        }
    }

    private List<String> filled(String line) {
        List<String> keys =
                PLACE.matcher(line).results().map(found -> found.group(1)).toList();
        return IntStream.range(0, keys.isEmpty() ? 1 : count(keys.getFirst()))
                .filter(at -> keys.stream().allMatch(key -> count(key) > at))
                .mapToObj(at -> filled(line, at))
                .toList();
    }

    private int count(String key) {
        return values.getOrDefault(key, List.of()).size();
    }

    private String filled(String line, int at) {
        Matcher place = PLACE.matcher(line);
        StringBuilder text = new StringBuilder();
        String comment = "";
        while (place.find()) {
            FlowLine value = values.getOrDefault(place.group(1), List.of()).get(at);
            boolean isOrigin = !place.group(2).isEmpty();
            place.appendReplacement(text, Matcher.quoteReplacement(isOrigin ? value.comment() : value.yaml()));
            comment = value.comment();
        }
        place.appendTail(text);
        return text + (comment.isEmpty() || line.contains("#") ? "" : "  # " + comment);
    }

    private static int indent(String line) {
        return line.length() - line.stripLeading().length();
    }
}
