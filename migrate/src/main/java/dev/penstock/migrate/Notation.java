package dev.penstock.migrate;

import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values in the notation of flow files and of Java. */
final class Notation {
    /** A placeholder of Spring or Maven: its name, and its default with the colon. */
    static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^:{}$]+)(:[^{}$]*)?}");

    /** Short parts of words: a misspelled password is a property of the driver too. */
    private static final Pattern SECRET = Pattern.compile("(?i).*(pas|pw|secret|token|key|cred|cert|auth).*");

    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");
    private static final Pattern NOT_ASCII = Pattern.compile("[^ -~]");

    private Notation() {}

    static boolean isSecret(String text) {
        return SECRET.matcher(text).matches();
    }

    /** Whether a URL has parameters or a login, or a placeholder that a flow file cannot have, such as a nested one. */
    static boolean mayHaveSecrets(String url) {
        // Oracle URLs are jdbc:oracle:thin:@host, optionally with user and password before the @.
        return url.matches("(?s).*([?;]|[^:]@).*")
                || PLACEHOLDER.matcher(url).replaceAll("").contains("${");
    }

    /** A quoted text in which nothing is taken for a placeholder. */
    static String quoted(String value) {
        return escaped(value.replace("${", "$${"), CONTROL, "\\x%02x");
    }

    /** A quoted text whose placeholders are those of a flow file: {@code ${a.b:c}} becomes {@code ${A_B:c}}. */
    static String kept(String value) {
        StringBuilder text = new StringBuilder();
        for (String piece : PLACEHOLDER.splitWithDelimiters(value, -1)) {
            Matcher placeholder = PLACEHOLDER.matcher(piece);
            text.append(
                    placeholder.matches()
                            ? "${" + variable(placeholder.group(1))
                                    + (placeholder.group(2) == null ? "" : placeholder.group(2)) + "}"
                            : piece.replace("${", "$${"));
        }
        return escaped(text.toString(), CONTROL, "\\x%02x");
    }

    /** The environment variable of a name of Spring: that of {@code a.b-c} is {@code A_BC}. */
    static String variable(String name) {
        boolean isPlain = name.matches("[A-Za-z_]\\w*") && !name.equals("file");
        String variable = isPlain
                ? name
                : name.strip().replace("-", "").replaceAll("\\W", "_").toUpperCase(Locale.ROOT);
        return variable.matches("[A-Za-z_].*") ? variable : "_" + variable;
    }

    /** The default of a placeholder, without its colon; null when it has none. */
    static @Nullable String fallback(MatchResult placeholder) {
        return placeholder.group(2) == null ? null : placeholder.group(2).substring(1);
    }

    /** A literal of Java. */
    static String java(String value) {
        return escaped(value, NOT_ASCII, "\\u%04x");
    }

    /** A literal of the value with the defaults of its placeholders, or {@code variable} when one has none. */
    static String java(String old, String variable) {
        String value = PLACEHOLDER.matcher(old.strip()).replaceAll(match -> {
            String fallback = fallback(match);
            return Matcher.quoteReplacement(fallback == null ? match.group() : fallback);
        });
        return value.contains("${") ? variable : java(value);
    }

    /** An expression of Java for a time. */
    static String java(long millis) {
        return millis % 1_000 == 0 ? "Duration.ofSeconds(" + millis / 1_000 + ")" : "Duration.ofMillis(" + millis + ")";
    }

    /** A time in its largest unit without a fraction, for instance {@code 130s} or {@code 5m}. */
    static String time(long millis) {
        return millis == 0 ? "0" : Durations.write(Duration.ofMillis(millis));
    }

    private static String escaped(String value, Pattern special, String format) {
        String escaped = special.matcher(value.replaceAll("[\"\\\\]", "\\\\$0"))
                .replaceAll(found -> found.group()
                        .chars()
                        .mapToObj(c -> Matcher.quoteReplacement(format.formatted(c)))
                        .collect(Collectors.joining()));
        return '"' + escaped + '"';
    }
}
