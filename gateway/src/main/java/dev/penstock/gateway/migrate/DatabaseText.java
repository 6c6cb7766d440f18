package dev.penstock.gateway.migrate;

import static dev.penstock.gateway.migrate.YamlText.quoted;
import static dev.penstock.gateway.migrate.YamlText.time;

import dev.penstock.gateway.config.Quoted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the flow to a database that does what an older pool did, and beside it the same in Java. For one thread. */
final class DatabaseText {
    private static final String PINNED = "; pinned by the old file, auto would ";

    private final DatabaseSettings old;
    private final YamlText yaml = new YamlText();

    private DatabaseText(DatabaseSettings old) {
        this.old = old;
    }

    /**
     * The whole text.
     *
     * @param file the name of the old file, to be named in it
     * @param old what the pool was told
     * @param properties the old file, for what is left of it
     */
    static String of(String file, DatabaseSettings old, DatabaseProperties properties) {
        DatabaseText text = new DatabaseText(old);
        text.head(Quoted.plain(file));
        text.flow();
        text.pool();
        text.yaml.line(0, "");
        DatabaseJava.write(old, text.yaml);
        text.left(properties);
        return text.yaml.toString();
    }

    private void head(String file) {
        yaml.comment(
                0,
                "Made from " + file
                        + ", a file of an older pool of database connections. Read it through, and look at it with: penstock check FILE");
        yaml.line(0, "#");
        yaml.comment(
                0,
                "A program of your own that keeps its SQL needs none of this file: put GuardedDataSource, further down, in the"
                        + " place of its pool.");
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
                "yours, with parameters by name: insert into payment values (:id, :amount)");
        yaml.line(2, "# deadline: 30s", "bounds the wait for a connection, the statement and its commit together");
        yaml.line(
                2,
                "# collapse: { max: 100 }",
                "many transactions by one batch and one commit, each with its own result");
    }

    private void url() {
        OldValue<String> url = old.url();
        if (url == null) {
            yaml.line(4, "url: \"${DATABASE_URL}\"", "not in the old file; set DATABASE_URL to it");
        } else if (mayHaveSecrets(url.value())) {
            yaml.line(
                    4,
                    "url: \"${DATABASE_URL}\"",
                    url.from() + ", not shown for what it may hold; set DATABASE_URL to it");
        } else {
            yaml.line(4, "url: " + quoted(url.value()), url.from());
        }
    }

    static boolean mayHaveSecrets(String url) {
        // Oracle writes jdbc:oracle:thin:@host, with user and password before the @ if need be.
        return url.matches(".*([?;]|[^:]@).*");
    }

    private void pool() {
        yaml.line(2, "pool:");
        OldValue<Integer> most = old.most();
        if (most == null) {
            yaml.line(3, "# max: auto", "stays automatic: follows what is wanted, rate x time, with headroom");
        } else {
            yaml.line(3, "max: " + most.value(), most.from() + PINNED + "follow what is wanted");
        }
        OldValue<Duration> waiting = old.waiting();
        if (waiting != null) {
            yaml.line(
                    3, "wait: " + time(waiting.value()), waiting.from() + "; longer is rejected, and nothing was sent");
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
                "stays automatic: the age at which the way kills idle connections is learned, and all are kept alive below"
                        + " half of it");
        if (idle != null && !idle.value().isNegative() && !idle.value().isZero()) {
            yaml.comment(
                    3,
                    idle.from()
                            + ": was a guess at that age, and closed connections that were well; if you know the age, say it"
                            + " here. What is not wanted any more is closed by itself.");
        } else if (idle != null) {
            yaml.comment(3, idle.from() + ": connections were kept for ever, also those that were dead.");
        }
    }

    private void left(DatabaseProperties properties) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (PropertyLine property : properties.left()) {
            OldName known = OldPools.of(property.name());
            boolean shown = known != null || OldPools.isOfHibernate(property.name());
            String name = shown
                    ? Quoted.plain(property.name())
                    : "line " + property.place().line();
            byReason.computeIfAbsent(whyNot(property, known), reason -> new ArrayList<>())
                    .add(name);
        }
        yaml.notCarried(byReason);
    }

    private static String whyNot(PropertyLine property, @Nullable OldName known) {
        if (known == null) {
            return OldPools.near(property.name())
                    .map(near -> "no property of a pool that is known here; did you mean " + near + "?")
                    .orElse(
                            OldPools.isOfHibernate(property.name())
                                    ? "not of connections; stays with Hibernate"
                                    : "no property of a pool that is known here");
        }
        if (!known.why().isEmpty()) {
            return known.why();
        }
        return property.value().isBlank() ? "empty" : "another line is in force";
    }
}
