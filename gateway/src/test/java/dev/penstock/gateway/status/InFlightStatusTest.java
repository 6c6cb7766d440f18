package dev.penstock.gateway.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InFlightStatusTest {
    private static final HttpCall CALL = HttpCall.post("/t", "{}").withHeader("key", "k");

    private final StatusStore book = new StatusStore(IdempotencyStore.inMemory(100), Duration.ofHours(1), 1_000);
    private final InFlightStatus inFlightStatus = new InFlightStatus(book, false);
    private final String id = new TransactionIds().next(System.currentTimeMillis());

    private boolean isKnown() throws Exception {
        return book.find(id) != null;
    }

    private HttpAnswer carry(Service<HttpCall, HttpAnswer> flow) throws Exception {
        return inFlightStatus.call(id, CALL, flow);
    }

    @Test
    void queuedTransactionIsPending() throws Exception {
        carry(call -> {
            assertThat(inFlightStatus.begin(id)).isTrue();
            return HttpAnswer.of(202, Headers.none(), new byte[0]);
        });
        assertThat(isKnown()).isTrue();
    }

    @Test
    void unsentTransactionIsNoLongerPending() throws Exception {
        assertThatThrownBy(() -> carry(call -> {
                    inFlightStatus.begin(id);
                    throw new Failed(Failed.Cause.CONNECT, "no broker");
                }))
                .isInstanceOf(Failed.class);
        assertThat(isKnown()).isFalse();
    }

    @Test
    void removesOnlyRecordsThatWereWritten() throws Exception {
        book.begin(id);
        assertThatThrownBy(() -> carry(call -> {
                    throw new Rejected(Rejected.Cause.LIMIT, "full");
                }))
                .isInstanceOf(Rejected.class);
        assertThat(isKnown()).isTrue();
    }

    @Test
    void failedAttemptAfterUnknownOneKeepsTheRecord() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        Flow<HttpCall, HttpAnswer> flow = Flow.named("accept")
                .retry(Retry.byKey("key").attempts(2).backoff(Duration.ZERO, Duration.ZERO))
                .to(call -> {
                    inFlightStatus.begin(id);
                    if (attempts.incrementAndGet() == 1) {
                        throw new Unknown(Unknown.Cause.CLOSED, "gone");
                    }
                    throw new Failed(Failed.Cause.CONNECT, "no broker");
                });
        assertThatThrownBy(() -> carry(flow)).isInstanceOf(Unknown.class);
        assertThat(attempts).hasValue(2);
        assertThat(isKnown()).isTrue();
    }
}
