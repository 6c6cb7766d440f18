package dev.penstock.http;

import dev.penstock.http.header.Headers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads {@code Retry-After} (RFC 9110 section 10.2.3). */
final class RetryAfter {
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    /** The three forms of an HTTP date (section 5.6.7). A year of two digits is at most 50 years in the future. */
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.RFC_1123_DATE_TIME,
            new DateTimeFormatterBuilder()
                    .appendPattern("EEEE, dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, 1980)
                    .appendPattern(" HH:mm:ss 'GMT'")
                    .toFormatter(Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.ENGLISH)
                    .withZone(ZoneOffset.UTC));

    private RetryAfter() {}

    /** The wait that the header fields ask for; null when they have no valid one. Not negative. */
    static @Nullable Duration of(Headers headers, InstantSource clock) {
        String value = headers.first("Retry-After");
        if (value == null) {
            return null;
        }
        if (SECONDS.matcher(value).matches()) {
            return Duration.ofSeconds(Long.parseLong(value));
        }
        Instant until = date(value);
        if (until == null) {
            return null;
        }
        Instant sent = date(headers.first("Date"));
        Duration wait = Duration.between(sent == null ? clock.instant() : sent, until);
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    private static @Nullable Instant date(@Nullable String text) {
        for (DateTimeFormatter format : text == null ? List.<DateTimeFormatter>of() : DATES) {
            try {
                return Instant.from(format.parse(text));
            } catch (DateTimeException other) {
                // Not of this form.
            }
        }
        return null;
    }
}
