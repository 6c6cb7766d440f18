package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HttpSourceBuilderTest {
    @Test
    void refusesSettingsOutOfRange() {
        HttpSourceBuilder builder = HttpSource.on(0);
        assertThatIllegalArgumentException().isThrownBy(() -> HttpSource.on(70_000));
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessageContaining("route");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.headerTime(Duration.ofDays(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.idleTime(Duration.ofMillis(9)))
                .withMessage("source.idle_time must be 10ms to 1h, not 9ms");
    }

    @Test
    void spreadsRetryAfterOverOnceToTwiceTheTime() {
        assertThat(ProblemDetails.retryAfter(Duration.ofSeconds(3), () -> 0L)).isEqualTo(3);
        assertThat(ProblemDetails.retryAfter(Duration.ofSeconds(3), () -> -1L)).isEqualTo(6);
        assertThat(ProblemDetails.retryAfter(Duration.ofMillis(10), () -> 0L)).isEqualTo(1);
        assertThat(ProblemDetails.retryAfter(Duration.ofMillis(10), () -> Long.MIN_VALUE))
                .isEqualTo(2);
        assertThat(ProblemDetails.retryAfter(Duration.ofMillis(10), () -> -1L)).isEqualTo(3);
    }
}
