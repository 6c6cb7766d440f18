package dev.penstock.migrate;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes YAML lines with comments, and values in flow file notation. Not thread-safe. */
final class YamlText {
    private static final int WIDTH = 120;

    /** A placeholder of Spring or Maven: its name, and its default with the colon. */
    static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:{}$]+)(:[^{}$]*)?}");

    /** What YAML does not allow in a file. */
    private static final Pattern NOT_YAML =
            Pattern.compile("[^\\n\\x20-\\x7e\\u00a0-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\x{10000}-\\x{10ffff}]");

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
        return '"' + escaped(value.replace("${", "$${")) + '"';
    }

    /** A quoted text whose placeholders are those of a flow file: {@code ${a.b:c}} becomes {@code ${A_B:c}}. */
    static String kept(String value) {
        StringBuilder text = new StringBuilder();
        Matcher placeholder = PLACEHOLDER.matcher(value);
        int at = 0;
        while (placeholder.find()) {
            text.append(value.substring(at, placeholder.start()).replace("${", "$${"));
            String fallback = placeholder.group(2) == null ? "" : placeholder.group(2);
            text.append("${")
                    .append(variable(placeholder.group(1)))
                    .append(fallback)
                    .append('}');
            at = placeholder.end();
        }
        return '"'
                + escaped(text.append(value.substring(at).replace("${", "$${")).toString())
                + '"';
    }

    /** The environment variable of a name of Spring: that of {@code a.b-c} is {@code A_BC}. */
    static String variable(String name) {
        boolean isPlain = name.matches("[A-Za-z_]\\w*") && !name.equals("file");
        String variable = isPlain
                ? name
                : name.strip().replace("-", "").replaceAll("\\W", "_").toUpperCase(Locale.ROOT);
        return variable.matches("[A-Za-z_].*") ? variable : "_" + variable;
    }

    /** Whether a URL has parameters or a login, or a placeholder that a flow file cannot have, such as a nested one. */
    static boolean mayHaveSecrets(String url) {
        // Oracle URLs are jdbc:oracle:thin:@host, optionally with user and password before the @.
        return url.matches("(?s).*([?;]|[^:]@).*")
                || PLACEHOLDER.matcher(url).replaceAll("").contains("${");
    }

    private static String escaped(String value) {
        StringBuilder escaped = new StringBuilder();
        value.chars().forEach(c -> {
            if (c < ' ' || c == 0x7f) {
                escaped.append("\\x%02x".formatted(c));
            } else {
                escaped.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
            }
        });
        return escaped.toString();
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
        return NOT_YAML.matcher(text).replaceAll("?");
    }
}
