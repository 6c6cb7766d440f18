package dev.penstock.flow;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import dev.penstock.Busy;
import dev.penstock.Collapse;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Errors that a target answers: they are counted and reported, and may be repeated. */
class AnswerStatusTest {
    private record Answer(int status, @Nullable Duration retryAfter) implements Busy {
        @Override
        public boolean isBusy() {
            return status == 503;
        }
    }

    private static final Answer OK = new Answer(200, null);
    private static final Answer FAILED = new Answer(500, null);
    private static final Answer BUSY = new Answer(503, null);

    private final ManualTicker ticker = new ManualTicker();
    private final ScriptedService<String, Answer> target = ScriptedService.on(ticker);

    @Test
    void aTargetThatAnswersErrorsIsCountedAndReported() throws Exception {
        Flow<String, Answer> flow = builder().to(target);
        target.answers(OK);
        call(flow, 3_000);
        assertThat(flow.frequentErrors()).isEmpty();
        target.anew().answers(FAILED);
        call(flow, 60);
        assertThat(flow.answersByStatus()).isEqualTo(Map.of(200, 3_000L, 500, 60L));
        assertThat(flow.frequentErrors()).containsOnlyKeys("5xx");
        assertThat(flow.frequentErrors().get("5xx"))
                .contains("of recent calls with 5xx, usually 0 %")
                .contains("the last one was 500");
        assertThat(flow.bottleneck().sentence())
                .startsWith("the target answered ")
                .contains("with 5xx");
        target.anew().answers(OK);
        call(flow, 6_000);
        assertThat(flow.frequentErrors()).isEmpty();
    }

    @Test
    void answersWithoutAStatusAreNotCounted() throws Exception {
        Flow<String, String> flow = builder().to(request -> "plain");
        flow.call("q");
        assertThat(flow.answersByStatus()).isEmpty();
    }

    @Test
    void eachAnswerOfABatchIsCounted() throws Exception {
        Flow<String, Answer> flow = builder()
                .to(Collapse.intoEndings((List<String> all) ->
                        BatchEndings.answered(all.stream().map(each -> FAILED).toList())));
        call(flow, 3);
        assertThat(flow.answersByStatus()).isEqualTo(Map.of(500, 3L));
    }

    @Test
    void noAnswerOpensTheBreaker() throws Exception {
        Flow<String, Answer> flow = builder().breaker().to(target);
        target.answers(BUSY);
        call(flow, 300);
        target.anew().answers(FAILED);
        call(flow, 600);
        assertThat(flow.call("q")).isEqualTo(FAILED);
    }

    @Test
    void anAnswerIsRepeatedAfterTheTimeThatItAsksFor() throws Exception {
        Flow<String, Answer> flow = repeating(Retry.ofIdempotent().answers(429, 503));
        target.answers(new Answer(503, ofSeconds(2))).answers(OK);
        long began = ticker.nanos();
        assertThat(flow.call("q")).isEqualTo(OK);
        assertThat(Duration.ofNanos(ticker.nanos() - began)).isEqualTo(ofSeconds(2));
    }

    @Test
    void anAnswerWhoseTimeDoesNotFitIsPassedOnAtOnce() throws Exception {
        Flow<String, Answer> flow = repeating(Retry.ofIdempotent().answers(429, 503));
        Answer late = new Answer(503, ofSeconds(6));
        target.answers(late).answers(OK);
        long began = ticker.nanos();
        assertThat(flow.call("q")).isEqualTo(late);
        assertThat(ticker.nanos()).isEqualTo(began);
        assertThat(target.received()).hasSize(1);
    }

    @Test
    void onlyRequestsThatMayBeSentTwiceAndTheseStatusesAreRepeated() throws Exception {
        target.answers(BUSY).answers(BUSY).answers(FAILED).answers(OK);
        assertThat(repeating(Retry.whenNotSent().answers(503)).call("q")).isEqualTo(BUSY);
        assertThat(repeating(Retry.byKey((String request) -> null).answers(503)).call("q"))
                .isEqualTo(BUSY);
        assertThat(repeating(Retry.ofIdempotent().answers(503)).call("q")).isEqualTo(FAILED);
    }

    @Test
    void theLastAnswerStandsAfterAllAttempts() throws Exception {
        Answer last = new Answer(503, Duration.ZERO);
        target.answers(BUSY).answers(BUSY).answers(last).answers(OK);
        assertThat(repeating(Retry.ofIdempotent().answers(503)).call("q")).isSameAs(last);
        assertThat(target.received()).hasSize(3);
    }

    @Test
    void anAnswerStandsWhenLaterAttemptsAreNotSent() throws Exception {
        target.answers(BUSY).fails(new Failed(Failed.Cause.CONNECT, "refused"));
        assertThat(repeating(Retry.ofIdempotent().answers(503)).call("q")).isEqualTo(BUSY);
        assertThat(target.received()).hasSize(3);
    }

    @Test
    void aLaterUnknownEndingDoesNotHideBehindTheAnswer() {
        target.answers(BUSY).fails(new Unknown(Unknown.Cause.CLOSED, "lost"));
        assertThatThrownBy(() -> repeating(Retry.ofIdempotent().answers(503)).call("q"))
                .isInstanceOf(Unknown.class);
    }

    @Test
    void repeatsOfAnswersHaveTheBudgetOfRetries() throws Exception {
        Flow<String, Answer> flow = repeating(Retry.ofIdempotent().answers(503).backoff(Duration.ZERO, Duration.ZERO));
        target.answers(BUSY);
        for (int call = 0; call < 1_000; call++) {
            flow.call("q");
        }
        assertThat(target.received()).hasSizeBetween(1_000, 1_000 + 220);
    }

    @Test
    void statusesOutOfRangeAreRefused() {
        assertThatThrownBy(() -> Retry.ofIdempotent().answers(200)).hasMessageContaining("400 to 599");
    }

    private FlowBuilder<Object> builder() {
        return Flow.named("payments").ticker(ticker);
    }

    /** Waits end at once, at their time. */
    private final Ticker jumping = new Ticker() {
        @Override
        public long nanos() {
            return ticker.nanos();
        }

        @Override
        public void parkUntil(long nanos) {
            ticker.advance(Duration.ofNanos(Math.max(0, nanos - ticker.nanos())));
        }
    };

    /** A deadline of 5 s, and no random wait. */
    private Flow<String, Answer> repeating(Retry<? super String> retry) {
        return Flow.named("payments")
                .ticker(jumping)
                .deadline(ofSeconds(5))
                .random(() -> 0)
                .retry(retry)
                .to(target);
    }

    /** Calls, 10 ms apart. */
    private void call(Flow<String, Answer> flow, int calls) throws Exception {
        for (int call = 0; call < calls; call++) {
            try {
                flow.call("q");
            } catch (Rejected open) {
                assertThat(open.why()).isEqualTo(Rejected.Cause.BREAKER);
            }
            ticker.advance(ofMillis(10));
        }
    }
}
