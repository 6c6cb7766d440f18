package dev.penstock.migrate;

import dev.penstock.migrate.OldName.OldUse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** Reads the settings of an older pool of database connections. */
final class DatabaseReader {
    private static final int MAX_CONNECTIONS = 1_000;
    private static final Duration MAX_WAIT = Duration.ofHours(1);
    private static final Duration MAX_AGE = Duration.ofHours(24);

    private final DatabaseProperties properties;

    DatabaseReader(DatabaseProperties properties) {
        this.properties = properties;
    }

    DatabaseSettings read() {
        OldValue<String> url = properties.hidden(OldUse.URL);
        if (url != null && !url.value().matches("(?s)(jdbc:|\\$\\{).*")) {
            properties.refuse("'" + url.from().replaceFirst(" \\(line .*", "")
                    + "' is not a JDBC URL; write for instance jdbc:postgresql://db.example/billing");
        }
        OldValue<String> password = properties.hidden(OldUse.PASSWORD);
        List<PropertyLine> driver = properties.all(OldUse.DRIVER);
        driver.forEach(properties::markUsed);
        return new DatabaseSettings(
                url,
                properties.text(OldUse.USER),
                password == null ? null : new OldValue<>(variable(password.value()), password.from()),
                within(properties.whole(OldUse.MAX), 1),
                within(properties.whole(OldUse.MIN), 0),
                bounded(properties.time(OldUse.WAIT_MILLIS, OldUse.WAIT_MILLIS), MAX_WAIT, "1h"),
                properties.time(OldUse.IDLE_MILLIS, OldUse.IDLE_SECONDS),
                bounded(properties.time(OldUse.AGE_MILLIS, OldUse.AGE_SECONDS), MAX_AGE, "24h"),
                properties.filled(OldUse.INIT_SQL),
                properties.filled(OldUse.TEST_QUERY),
                properties.flag(OldUse.AUTO_COMMIT),
                properties.flag(OldUse.READ_ONLY),
                properties.filled(OldUse.ISOLATION),
                driver);
    }

    /** The variable of a placeholder, or one of our own. */
    private static String variable(String password) {
        Matcher placeholder = YamlText.PLACEHOLDER.matcher(password);
        return placeholder.matches() ? YamlText.variable(placeholder.group(1)) : "DATABASE_PASSWORD";
    }

    private static @Nullable OldValue<Integer> within(@Nullable OldValue<Integer> given, int min) {
        if (given == null || (given.value() >= min && given.value() <= MAX_CONNECTIONS)) {
            return given;
        }
        int nearest = given.value() < min ? min : MAX_CONNECTIONS;
        return new OldValue<>(nearest, given.from() + "; allowed here: " + min + " to " + MAX_CONNECTIONS);
    }

    /** Replaces no limit by the maximum. */
    private static @Nullable OldValue<Duration> bounded(
            @Nullable OldValue<Duration> given, Duration max, String words) {
        if (given == null) {
            return null;
        }
        if (given.value().isNegative() || given.value().isZero()) {
            return new OldValue<>(max, given.from() + "; 0 means no limit, the maximum here is " + words);
        }
        return given.value().compareTo(max) > 0
                ? new OldValue<>(max, given.from() + "; the maximum is " + words)
                : given;
    }

    /**
     * The settings of an older pool of database connections; null for unset.
     *
     * @param url the JDBC URL, which may contain secrets
     * @param password the variable with the password, never the password itself
     * @param max the maximum number of connections
     * @param min the minimum number of connections
     * @param waiting how long to wait for a connection; 0 is unlimited
     * @param idle the maximum idle time; 0 is unlimited
     * @param age the maximum age; 0 is unlimited
     * @param driver properties passed to the driver
     */
    record DatabaseSettings(
            @Nullable OldValue<String> url,
            @Nullable OldValue<String> user,
            @Nullable OldValue<String> password,
            @Nullable OldValue<Integer> max,
            @Nullable OldValue<Integer> min,
            @Nullable OldValue<Duration> waiting,
            @Nullable OldValue<Duration> idle,
            @Nullable OldValue<Duration> age,
            @Nullable OldValue<String> initSql,
            @Nullable OldValue<String> testQuery,
            @Nullable OldValue<Boolean> autoCommit,
            @Nullable OldValue<Boolean> readOnly,
            @Nullable OldValue<String> isolation,
            List<PropertyLine> driver) {}
}
