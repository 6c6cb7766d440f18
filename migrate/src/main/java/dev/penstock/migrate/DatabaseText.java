package dev.penstock.migrate;

import static dev.penstock.migrate.YamlText.kept;
import static dev.penstock.migrate.YamlText.time;

import dev.penstock.migrate.DatabaseReader.DatabaseSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Writes a flow to a database that replaces an older pool, and the same as Java code. Not thread-safe. */
final class DatabaseText {
    private static final String PINNED = "; pinned to the old value, auto would ";

    private final DatabaseSettings old;
    private final YamlText yaml;

    private DatabaseText(DatabaseSettings old, YamlText yaml) {
        this.old = old;
        this.yaml = yaml;
    }

    /** Writes the flow; {@code port} is where it listens. */
    static void write(DatabaseSettings old, int port, YamlText yaml) {
        DatabaseText text = new DatabaseText(old, yaml);
        text.flow(port);
        text.pool();
    }

    private void flow(int port) {
        yaml.line(1, "database:");
        yaml.line(2, "from: { http: { port: " + port + ", path: /database } }");
        yaml.line(2, "to:").line(3, "jdbc:");
        url();
        OldValue<String> user = old.user();
        if (user != null) {
            yaml.line(4, "user: " + kept(user.value()), user.from());
        }
        OldValue<String> password = old.password();
        if (password != null) {
            yaml.line(
                    4,
                    "password: \"${" + password.value() + "}\"",
                    password.from() + ", not shown; set " + password.value() + " to it");
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
            yaml.line(4, "url: " + kept(url.value()), url.from());
        }
    }

    static boolean mayHaveSecrets(String url) {
        // Oracle URLs are jdbc:oracle:thin:@host, optionally with user and password before the @.
        return url.matches("(?s).*([?;]|[^:]@).*") || hasUnreadable(url);
    }

    /** Whether a placeholder is not one of a flow file, for instance because its default has another. */
    private static boolean hasUnreadable(String url) {
        return YamlText.PLACEHOLDER.matcher(url).replaceAll("").contains("${");
    }

    private void pool() {
        OldValue<Integer> max = old.max();
        boolean isAutomatic = max == null && old.waiting() == null && old.age() == null;
        yaml.line(2, isAutomatic ? "# pool:" : "pool:");
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
}
