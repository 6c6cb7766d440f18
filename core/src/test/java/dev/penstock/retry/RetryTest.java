package dev.penstock.retry;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Keyed;
import dev.penstock.ReadOnly;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryTest {
    private record Payment(@Nullable String id) implements Keyed {
        @Override
        public @Nullable String key(String name) {
            return name.equals("Id") ? id : null;
        }
    }

    private static final Payment KEYED = new Payment("p-1");
    private static final Payment BARE = new Payment(null);
    private final Unknown lost = new Unknown(Unknown.Cause.CLOSED, "lost");

    private final ManualTicker ticker = new ManualTicker();
    private final ScriptedService<Payment, String> target = ScriptedService.on(ticker);

    @Test
    void whatNeverReachedTheTargetIsRepeatedWithoutAKey() throws Exception {
        target.fails(new Failed(Failed.Cause.CONNECT, "refused")).answers("yes");
        assertThat(flow(Retry.whenNotSent()).call(BARE)).isEqualTo("yes");
        assertThat(target.received()).hasSize(2);
    }

    @Test
    void anUnknownEndingIsNeverRepeatedWithoutAKey() {
        target.fails(lost).fails(lost).fails(lost).answers("yes");
        assertThatThrownBy(() -> flow(Retry.byKey("Id")).call(BARE)).isEqualTo(lost);
        assertThatThrownBy(() -> flow(Retry.byKey("Other")).call(KEYED)).isEqualTo(lost);
        assertThatThrownBy(() -> flow(Retry.whenNotSent()).call(KEYED)).isEqualTo(lost);
        assertThat(target.received()).hasSize(3);
    }

    @Test
    void anUnknownEndingIsRepeatedWithAKey() throws Exception {
        target.fails(lost).answers("yes");
        assertThat(flow(Retry.byKey("Id")).call(KEYED)).isEqualTo("yes");
        assertThat(target.received()).containsExactly(KEYED, KEYED);
    }

    @Test
    void aFunctionMayFindTheKey() throws Exception {
        target.fails(lost).answers("yes");
        assertThat(flow(Retry.byKey(Payment::id)).call(KEYED)).isEqualTo("yes");
    }

    @Test
    void anUnknownEndingIsRepeatedWhenAllRequestsAreDeclaredIdempotent() throws Exception {
        target.fails(lost).fails(lost).answers("yes");
        assertThat(flow(Retry.ofIdempotent()).call(BARE)).isEqualTo("yes");
        assertThat(target.received()).containsExactly(BARE, BARE, BARE);
    }

    @Test
    void aFunctionMayTellWhichRequestsAreIdempotent() throws Exception {
        Retry<Payment> retry = Retry.ofIdempotent((Payment payment) -> payment.id() == null);
        target.fails(lost).answers("yes").fails(lost);
        assertThat(flow(retry).call(BARE)).isEqualTo("yes");
        assertThatThrownBy(() -> flow(retry).call(KEYED)).isEqualTo(lost);
        assertThat(target.received()).containsExactly(BARE, BARE, KEYED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatOnlyReadsIsRepeatedWithoutAKey(boolean readOnly) throws Exception {
        record Question(boolean isReadOnly) implements ReadOnly {}
        ScriptedService<Question, String> book =
                ScriptedService.<Question, String>on(ticker).fails(lost).answers("yes");
        Flow<Question, String> flow = builder(Retry.whenNotSent().backoff(Duration.ZERO, Duration.ZERO))
                .to(book);
        if (readOnly) {
            assertThat(flow.call(new Question(true))).isEqualTo("yes");
        } else {
            assertThatThrownBy(() -> flow.call(new Question(false))).isEqualTo(lost);
        }
        assertThat(book.received()).hasSize(readOnly ? 2 : 1);
    }

    @Test
    void itTellsInWordsWhatItRepeats() {
        String begin = "3 attempts, waits up to 50 ms doubling to 2 s, ";
        assertThat(Retry.whenNotSent()).hasToString(begin + "only what was not sent");
        assertThat(Retry.byKey("Id")).hasToString(begin + "unknown endings by Id");
        assertThat(Retry.byKey(Payment::id)).hasToString(begin + "unknown endings by a key");
        assertThat(Retry.ofIdempotent())
                .hasToString(begin + "unknown endings too, as requests are declared idempotent");
        assertThat(Retry.ofIdempotent((Payment payment) -> true))
                .hasToString(begin + "unknown endings of requests that are declared idempotent");
    }

    @Test
    void itGivesUpAfterTheLastAttempt() {
        target.fails(lost);
        assertThatThrownBy(() -> flow(Retry.byKey("Id").attempts(4)).call(KEYED))
                .isEqualTo(lost);
        assertThat(target.received()).hasSize(4);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNDONE", "REFUSED"})
    void whatTheTargetRefusedOrUndidIsNotRepeated(Failed.Cause cause) {
        target.fails(new Failed(cause, "no")).answers("yes");
        assertThatThrownBy(() -> flow(Retry.byKey("Id")).call(KEYED)).isInstanceOf(Failed.class);
        assertThat(target.received()).hasSize(1);
    }

    @Test
    void anOpenBreakerIsNotTriedAgain() {
        target.fails(new Rejected(Rejected.Cause.BREAKER, "open")).answers("yes");
        assertThatThrownBy(() -> flow(Retry.byKey("Id")).call(KEYED)).isInstanceOf(Rejected.class);
        assertThat(target.received()).hasSize(1);
    }

    @Test
    void afterAnUnknownAttemptOnlyAnAnswerEndsTheDoubt() {
        target.fails(lost).fails(new Failed(Failed.Cause.CONNECT, "refused"));
        Flow<Payment, String> flow = flow(Retry.byKey("Id"));
        assertThatThrownBy(() -> flow.call(KEYED)).isEqualTo(lost);
        assertThat(flow.accounting().unknown()).isEqualTo(1);
    }

    @Test
    void aCallerThatWasInterruptedIsNotServedAgain() {
        target.fails(new InterruptedException()).answers("yes");
        assertThatThrownBy(() -> flow(Retry.byKey("Id")).call(KEYED)).isInstanceOf(Unknown.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(target.received()).hasSize(1);
    }

    @Test
    void aCallerThatIsInterruptedWithoutAWaitIsNotServedAgain() {
        target.step(request -> {
                    Thread.currentThread().interrupt();
                    throw new Rejected(Rejected.Cause.POOL, "interrupted");
                })
                .answers("yes");
        assertThatThrownBy(() -> flow(Retry.whenNotSent()).call(BARE)).isInstanceOf(Rejected.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(target.received()).hasSize(1);
    }

    @Test
    void aWaitThatEndsTooLateIsNotFollowedByAnAttempt() throws Exception {
        target.fails(new Failed(Failed.Cause.CONNECT, "refused")).answers("yes");
        Flow<Payment, String> flow = builder(Retry.whenNotSent().backoff(ofMillis(100), ofSeconds(1)))
                .random(() -> 100_000_000L)
                .deadline(ofMillis(500))
                .to(target);
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                flow.call(BARE);
            } catch (Exception expected) {
                // Counted below.
            }
        });
        ticker.awaitParked(1);
        ticker.advance(ofSeconds(1));
        caller.join();
        assertThat(target.received()).hasSize(1);
        assertThat(flow.accounting().failed()).isEqualTo(1);
    }

    @Test
    void itDoesNotWaitBeyondTheDeadline() {
        target.fails(new Rejected(Rejected.Cause.POOL, "none free")).answers("yes");
        Flow<Payment, String> flow = builder(Retry.whenNotSent().backoff(ofSeconds(10), ofSeconds(10)))
                .random(() -> Long.MAX_VALUE)
                .deadline(ofSeconds(1))
                .to(target);
        assertThatThrownBy(() -> flow.call(BARE)).isInstanceOf(Rejected.class);
        assertThat(target.received()).hasSize(1);
    }

    @Test
    void itWaitsForTheBackoffByTheTicker() throws Exception {
        target.fails(new Failed(Failed.Cause.CONNECT, "refused")).answers("yes");
        Flow<Payment, String> flow = builder(Retry.whenNotSent().backoff(ofMillis(100), ofSeconds(1)))
                .random(() -> 100_000_000L)
                .to(target);
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                flow.call(BARE);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        ticker.awaitParked(1);
        assertThat(target.received()).hasSize(1);
        ticker.advance(ofSeconds(1));
        caller.join();
        assertThat(target.received()).hasSize(2);
    }

    @Test
    void repeatsStayWithinTheirBudget() {
        target.fails(lost);
        Flow<Payment, String> flow = flow(Retry.byKey("Id").attempts(2));
        int calls = 1_000;
        for (int call = 0; call < calls; call++) {
            ticker.advance(ofMillis(1));
            assertThatThrownBy(() -> flow.call(KEYED)).isInstanceOf(Unknown.class);
        }
        int repeats = target.received().size() - calls;
        assertThat(repeats).isBetween(200, 220);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 11, -1})
    void attemptsOutOfRangeAreRefused(int attempts) {
        assertThatThrownBy(() -> Retry.whenNotSent().attempts(attempts))
                .hasMessageContaining("1 to 10, not " + attempts);
    }

    @Test
    void aBackoffThatEndsBelowItsBeginningIsRefused() {
        assertThatThrownBy(() -> Retry.whenNotSent().backoff(ofSeconds(2), ofSeconds(1)))
                .hasMessageContaining("not 2 s with a maximum of 1 s");
    }

    private Flow<Payment, String> flow(Retry<? super Payment> retry) {
        return builder(retry.backoff(Duration.ZERO, Duration.ZERO)).to(target);
    }

    private <Q> FlowBuilder<Q> builder(Retry<Q> retry) {
        return Flow.named("payments").ticker(ticker).retry(retry);
    }
}
