package dev.penstock.migrate;

import dev.penstock.migrate.DatabaseReader.DatabaseSettings;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Writes Java code, as comments of a flow file, for a data source that replaces the older pool. */
final class DatabaseJava {
    /** Short parts of words: a misspelled password is a property of the driver too. */
    private static final Pattern SECRET = Pattern.compile("(?i).*(pas|pw|secret|token|key|cred|cert|auth).*");

    private DatabaseJava() {}

    static void write(DatabaseSettings old, YamlText yaml) {
        yaml.line(0, "# To replace the old pool in your own program:");
        line(yaml, "  DataSource database = GuardedDataSource.at(" + url(old.url()) + ")");
        OldValue<String> user = old.user();
        if (user != null) {
            line(yaml, call("user", user.value().contains("${") ? "user" : text(user.value())));
        }
        OldValue<String> password = old.password();
        if (password != null) {
            line(yaml, call("password", "password") + "  // " + password.from());
        }
        old.driver().forEach(property -> line(yaml, driver(property)));
        number("max", old.max(), yaml);
        number("warm", old.min(), yaml);
        duration("borrowTimeout", old.waiting(), yaml);
        duration("maxAge", old.age(), yaml);
        sql("initSql", old.initSql(), "", yaml);
        sql("testQuery", old.testQuery(), "// only for a driver older than JDBC 4: ", yaml);
        flag("autoCommit", old.autoCommit(), yaml);
        flag("readOnly", old.readOnly(), yaml);
        OldValue<String> isolation = old.isolation();
        if (isolation != null) {
            line(
                    yaml,
                    call("isolation", value(isolationName(isolation.value()), "isolation")) + "  // "
                            + isolation.from());
        }
        line(
                yaml,
                call("state", "StateFile.at(Path.of(\"penstock-state\"))")
                        + "  // keeps learned values across restarts");
        line(yaml, "          .build();");
    }

    private static void line(YamlText yaml, String java) {
        yaml.line(0, "# " + java);
    }

    private static String call(String method, String argument) {
        return "          ." + method + "(" + argument + ")";
    }

    private static String url(@Nullable OldValue<String> url) {
        return url == null || url.value().contains("${") || DatabaseText.mayHaveSecrets(url.value())
                ? "url"
                : text(url.value());
    }

    private static String text(String value) {
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

    private static String driver(PropertyLine property) {
        OldName known = OldPools.of(property.name());
        String name = known == null ? property.name() : known.name();
        boolean secret = SECRET.matcher(name).matches() || property.value().matches("(?s).*://.*@.*");
        return call("property", text(name) + ", " + (secret ? "secret" : value(property.value(), "value"))) + "  // "
                + property.named() + (secret ? ", not shown" : "");
    }

    /** The value with the defaults of its placeholders, or {@code variable} when one has none. */
    private static String value(String old, String variable) {
        String value = YamlText.PLACEHOLDER
                .matcher(old.strip())
                .replaceAll(match -> Matcher.quoteReplacement(
                        match.group(2) == null ? match.group() : match.group(2).substring(1)));
        return value.contains("${") ? variable : text(value);
    }

    private static void number(String method, @Nullable OldValue<Integer> number, YamlText yaml) {
        if (number != null) {
            line(yaml, call(method, number.value().toString()) + "  // " + number.from());
        }
    }

    private static void duration(String method, @Nullable OldValue<Duration> time, YamlText yaml) {
        if (time != null) {
            long millis = time.value().toMillis();
            String java = millis % 1_000 == 0
                    ? "Duration.ofSeconds(" + millis / 1_000 + ")"
                    : "Duration.ofMillis(" + millis + ")";
            line(yaml, call(method, java) + "  // " + time.from());
        }
    }

    private static void sql(String method, @Nullable OldValue<String> sql, String before, YamlText yaml) {
        if (sql != null) {
            String shown = SECRET.matcher(sql.value()).matches() ? method : value(sql.value(), method);
            line(yaml, "          " + before + "." + method + "(" + shown + ")  // " + sql.from());
        }
    }

    private static void flag(String method, @Nullable OldValue<Boolean> flag, YamlText yaml) {
        if (flag != null) {
            line(yaml, call(method, flag.value().toString()) + "  // " + flag.from());
        }
    }

    /** Hibernate uses the numbers of the constants of {@link java.sql.Connection}. */
    private static String isolationName(String value) {
        return switch (value) {
            case "1" -> "TRANSACTION_READ_UNCOMMITTED";
            case "2" -> "TRANSACTION_READ_COMMITTED";
            case "4" -> "TRANSACTION_REPEATABLE_READ";
            case "8" -> "TRANSACTION_SERIALIZABLE";
            default -> value.startsWith("TRANSACTION_") ? value : "TRANSACTION_" + value;
        };
    }
}
