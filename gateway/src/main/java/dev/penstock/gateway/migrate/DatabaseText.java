package dev.penstock.gateway.migrate;

import static dev.penstock.gateway.migrate.YamlText.quoted;
import static dev.penstock.gateway.migrate.YamlText.time;

import dev.penstock.gateway.config.Quoted;
import dev.penstock.gateway.migrate.DatabaseReader.DatabaseSettings;
import dev.penstock.gateway.migrate.PropertiesText.PropertyLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a flow to a database that replaces an older pool, and the same as Java code. Not thread-safe. */
final class DatabaseText {
    private static final String PINNED = "; pinned to the old value, auto would ";

    private final DatabaseSettings old;
    private final YamlText yaml = new YamlText();

    private DatabaseText(DatabaseSettings old) {
        this.old = old;
    }

    /**
     * The complete text.
     *
     * @param file the name of the old file
     * @param old the settings of the pool
     * @param properties the old file, for its unused properties
     */
    static String of(String file, DatabaseSettings old, DatabaseProperties properties) {
        DatabaseText text = new DatabaseText(old);
        text.head(Quoted.plain(file));
        text.flow();
        text.pool();
        text.yaml.line(0, "");
        DatabaseJava.write(old, text.yaml);
        text.unused(properties);
        return text.yaml.toString();
    }

    private void head(String file) {
        yaml.comment(
                0,
                "Generated from " + file
                        + ", the settings of an older connection pool. Review it, and validate it with: penstock check FILE");
        yaml.line(0, "#");
        yaml.comment(
                0,
                "A program that keeps its own SQL does not need this file: replace its pool by the GuardedDataSource below.");
    }

    private void flow() {
        yaml.line(0, "flows:").line(1, "database:");
        yaml.line(2, "from: { http: { port: 8080, path: /database } }");
        yaml.line(2, "to:").line(3, "jdbc:");
        url();
        OldValue<String> user = old.user();
        if (user != null) {
            yaml.line(4, "user: " + quoted(user.value()), user.from());
        }
        if (old.password() != null) {
            yaml.line(
                    4,
                    "password: \"${DATABASE_PASSWORD}\"",
                    old.password() + ", not shown; set DATABASE_PASSWORD to it");
        }
        yaml.line(
                4,
                "statement: \"select 1\"",
                "your statement with named parameters, for instance: insert into payment values (:id, :amount)");
        yaml.line(2, "# deadline: 30s", "limits the wait for a connection, the statement and its commit together");
        yaml.line(
                2,
                "# collapse: { max: 100 }",
                "sends many transactions in one batch with one commit, each with its own result");
    }

    private void url() {
        OldValue<String> url = old.url();
        if (url == null) {
            yaml.line(4, "url: \"${DATABASE_URL}\"", "not in the old file; set DATABASE_URL to it");
        } else if (mayHaveSecrets(url.value())) {
            yaml.line(
                    4,
                    "url: \"${DATABASE_URL}\"",
                    url.from() + ", not shown because it may contain secrets; set DATABASE_URL to it");
        } else {
            yaml.line(4, "url: " + quoted(url.value()), url.from());
        }
    }

    static boolean mayHaveSecrets(String url) {
        // Oracle URLs are jdbc:oracle:thin:@host, optionally with user and password before the @.
        return url.matches(".*([?;]|[^:]@).*");
    }

    private void pool() {
        yaml.line(2, "pool:");
        OldValue<Integer> max = old.max();
        if (max == null) {
            yaml.line(3, "# max: auto", "automatic: follows the demand, rate x time, with headroom");
        } else {
            yaml.line(3, "max: " + max.value(), max.from() + PINNED + "follow the demand");
        }
        OldValue<Duration> waiting = old.waiting();
        if (waiting != null) {
            yaml.line(
                    3,
                    "wait: " + time(waiting.value()),
                    waiting.from() + "; a longer wait is rejected without sending");
        }
        idle(old.idle());
        OldValue<Duration> age = old.age();
        if (age != null) {
            yaml.line(3, "max_age: " + time(age.value()), age.from());
        }
    }

    private void idle(@Nullable OldValue<Duration> idle) {
        yaml.line(
                3,
                "# idle: auto",
                "automatic: learns the idle time after which the network drops connections, and keeps connections alive"
                        + " within half of it");
        if (idle != null && !idle.value().isNegative() && !idle.value().isZero()) {
            yaml.comment(
                    3,
                    idle.from()
                            + ": was an estimate of that time and closed good connections; if you know the time, set it here."
                            + " Surplus connections are closed automatically.");
        } else if (idle != null) {
            yaml.comment(3, idle.from() + ": idle connections were never closed, even dead ones.");
        }
    }

    private void unused(DatabaseProperties properties) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (PropertyLine property : properties.unused()) {
            OldName known = OldPools.of(property.name());
            boolean shown = known != null || OldPools.isOfHibernate(property.name());
            String name = shown
                    ? Quoted.plain(property.name())
                    : "line " + property.location().line();
            byReason.computeIfAbsent(reason(property, known), key -> new ArrayList<>())
                    .add(name);
        }
        yaml.dropped(byReason);
    }

    private static String reason(PropertyLine property, @Nullable OldName known) {
        if (known == null) {
            return OldPools.near(property.name())
                    .map(near -> "unknown pool property; did you mean " + near + "?")
                    .orElse(
                            OldPools.isOfHibernate(property.name())
                                    ? "not about connections; stays with Hibernate"
                                    : "unknown pool property");
        }
        if (!known.why().isEmpty()) {
            return known.why();
        }
        return property.value().isBlank() ? "empty" : "another line takes precedence";
    }
}
