package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.header.Headers;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:07Z");

    private static @Nullable Duration of(String value, String... date) {
        Headers headers = Headers.none().with("Retry-After", value);
        for (String sent : date) {
            headers = headers.with("Date", sent);
        }
        return RetryAfter.of(headers, () -> NOW);
    }

    @Test
    void secondsAreTheWait() {
        assertThat(of("0")).isZero();
        assertThat(of("120")).isEqualTo(Duration.ofMinutes(2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"})
    void aDateOfEachFormIsComparedWithTheClock(String date) {
        assertThat(of(date)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void theDateOfTheAnswerReplacesTheClock() {
        assertThat(of("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:35 GMT"))
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(of("Sun, 06 Nov 1994 08:49:37 GMT", "garbage")).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aDateThatHasPassedIsNoWait() {
        assertThat(of("Sun, 06 Nov 1994 08:49:00 GMT")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "1.5", "soon", "99999999999", "Sun, 31 Feb 1994 08:49:37 GMT"})
    void whatIsNotValidIsIgnored(String value) {
        assertThat(of(value)).isNull();
        assertThat(RetryAfter.of(Headers.none(), () -> NOW)).isNull();
    }
}
