package dev.penstock.migrate;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values in the notation of Java. */
final class JavaText {
    /** Short parts of words: a misspelled password is a property of the driver too. */
    private static final Pattern SECRET = Pattern.compile("(?i).*(pas|pw|secret|token|key|cred|cert|auth).*");

    private JavaText() {}

    static boolean isSecret(String text) {
        return SECRET.matcher(text).matches();
    }

    static String quoted(String value) {
        StringBuilder java = new StringBuilder("\"");
        value.chars().forEach(c -> {
            if (c < ' ' || c > '~') {
                java.append("\\u%04x".formatted(c));
            } else {
                java.append(c == '"' || c == '\\' ? "\\" : "").append((char) c);
            }
        });
        return java.append('"').toString();
    }

    /** The value with the defaults of its placeholders, or {@code variable} when one has none. */
    static String value(String old, String variable) {
        String value = YamlText.PLACEHOLDER
                .matcher(old.strip())
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(2) == null ? match.group() : match.group(2).substring(1)));
        return value.contains("${") ? variable : quoted(value);
    }

    static String duration(Duration time) {
        long millis = time.toMillis();
        return millis % 1_000 == 0 ? "Duration.ofSeconds(" + millis / 1_000 + ")" : "Duration.ofMillis(" + millis + ")";
    }

    /** Hibernate uses the numbers of the constants of {@link java.sql.Connection}. */
    static String isolation(String value) {
        return switch (value) {
            case "1" -> "TRANSACTION_READ_UNCOMMITTED";
            case "2" -> "TRANSACTION_READ_COMMITTED";
            case "4" -> "TRANSACTION_REPEATABLE_READ";
            case "8" -> "TRANSACTION_SERIALIZABLE";
            default -> value.startsWith("TRANSACTION_") ? value : "TRANSACTION_" + value;
        };
    }
}
