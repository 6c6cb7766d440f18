package dev.penstock.gateway.migrate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads what an older pool of database connections was told. */
final class DatabaseReader {
    private static final int MOST = 1_000;
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);
    private static final Duration LONGEST_AGE = Duration.ofHours(24);

    private final DatabaseProperties properties;

    DatabaseReader(DatabaseProperties properties) {
        this.properties = properties;
    }

    DatabaseSettings read() {
        OldValue<String> url = properties.hidden(OldUse.URL);
        if (url != null && !url.value().startsWith("jdbc:")) {
            properties.refuse(
                    "'" + url.from() + "' is no JDBC URL; write for instance jdbc:postgresql://db.example/billing");
        }
        OldValue<String> password = properties.hidden(OldUse.PASSWORD);
        List<PropertyLine> driver = properties.all(OldUse.DRIVER);
        driver.forEach(properties::take);
        return new DatabaseSettings(
                url,
                properties.text(OldUse.USER),
                password == null ? null : password.from(),
                within(properties.whole(OldUse.MAX), 1),
                within(properties.whole(OldUse.MIN), 0),
                bounded(properties.time(OldUse.WAIT_MILLIS, OldUse.WAIT_MILLIS), LONGEST_WAIT, "1h"),
                properties.time(OldUse.IDLE_MILLIS, OldUse.IDLE_SECONDS),
                bounded(properties.time(OldUse.AGE_MILLIS, OldUse.AGE_SECONDS), LONGEST_AGE, "24h"),
                properties.hidden(OldUse.INIT_SQL),
                properties.hidden(OldUse.TEST_QUERY),
                properties.flag(OldUse.AUTO_COMMIT),
                properties.flag(OldUse.READ_ONLY),
                properties.text(OldUse.ISOLATION),
                driver);
    }

    private static @Nullable OldValue<Integer> within(@Nullable OldValue<Integer> given, int least) {
        if (given == null || (given.value() >= least && given.value() <= MOST)) {
            return given;
        }
        int nearest = given.value() < least ? least : MOST;
        return new OldValue<>(nearest, given.from() + "; " + least + " to " + MOST + " here");
    }

    /** Where the old pool had no bound, the longest there is. */
    private static @Nullable OldValue<Duration> bounded(@Nullable OldValue<Duration> given, Duration longest, String words) {
        if (given == null) {
            return null;
        }
        if (given.value().isNegative() || given.value().isZero()) {
            return new OldValue<>(longest, given.from() + "; 0 is for ever, and " + words + " the most here");
        }
        return given.value().compareTo(longest) > 0
                ? new OldValue<>(longest, given.from() + "; " + words + " is the most")
                : given;
    }
}
