package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.flow.Flow;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The embedding example of the README, with a fixed limit. */
class EmbeddingTest {
    @Test
    void aFlowInFrontOfAnHttpTargetIsAFewLines() {
        try (var gateway = HttpTarget.of("http://gateway.invalid/v1/transactions")) {
            Service<HttpCall, HttpAnswer> payments = Flow.named("payments")
                    .deadline(Duration.ofSeconds(5))
                    .retry(Retry.byKey("Idempotency-Key"))
                    .concurrency(200)
                    .to(gateway);
            assertThat(payments)
                    .hasToString("payments: meter > deadline (deadline 5 s given) > retry (retry.attempts 3 default)"
                            + " > limit (limit 200 pinned, rate none default, queue.time 1 s default, queue.length 1024 default)"
                            + " > http://gateway.invalid/v1/transactions");
            HttpCall request = HttpCall.post("/", "<payment/>").withHeader("Idempotency-Key", "p-1");
            assertThatThrownBy(() -> payments.call(request))
                    .isInstanceOf(Failed.class)
                    .hasMessageContaining("unknown host");
        }
    }
}
