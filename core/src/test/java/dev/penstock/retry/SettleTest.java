package dev.penstock.retry;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Answered;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.ReadOnly;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Settle;
import dev.penstock.StageReport;
import dev.penstock.StatusProbe;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.StatusProbe.Settled.NotThere;
import dev.penstock.StatusProbe.Settled.StillUnknown;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class SettleTest {
    private final Unknown lost = new Unknown(Unknown.Cause.CLOSED, "lost");
    private final ManualTicker ticker = new ManualTicker();
    private final ScriptedService<String, String> target = ScriptedService.on(ticker);
    private final ScriptedService<String, Settled<String>> batchTarget = ScriptedService.on(ticker);
    private final StatusProbe<String, String> probe = batchTarget::call;

    @Test
    void theTransactionsOwnAnswerEndsTheDoubtWithoutARepeat() throws Exception {
        target.fails(lost);
        batchTarget.answers(new Answered<>("yes"));
        Flow<String, String> flow = repeating(3);
        assertThat(flow.call("p-1")).isEqualTo("yes");
        assertThat(target.received()).containsExactly("p-1");
        assertThat(batchTarget.received()).containsExactly("p-1");
        assertThat(flow.accounting().sentence()).startsWith("offered 1 = answered 1 + ");
    }

    @Test
    void whatIsNotThereIsRepeated() throws Exception {
        target.fails(lost).fails(lost).answers("yes");
        batchTarget.answers(new NotThere<>());
        assertThat(repeating(3).call("p-1")).isEqualTo("yes");
        assertThat(target.received()).hasSize(3);
        assertThat(batchTarget.received()).hasSize(2);
    }

    @Test
    void whatIsNotThereAfterTheLastAttemptHasFailed() {
        target.fails(lost);
        batchTarget.answers(new NotThere<>());
        Flow<String, String> flow = repeating(2);
        assertThatThrownBy(() -> flow.call("p-1"))
                .isInstanceOf(Failed.class)
                .hasMessage("lost; asked for its status, it is not there");
        assertThat(target.received()).hasSize(2);
        assertThat(flow.accounting().causes()).hasToString("{failed={not_there=1}}");
    }

    @Test
    void withoutRepeatsItSettlesAllTheSame() throws Exception {
        target.fails(lost);
        batchTarget.answers(new Answered<>("yes")).answers(new NotThere<>()).answers(new StillUnknown<>("busy"));
        Flow<String, String> flow =
                once().to(target, Settle.by(probe).after(ZERO).queries(1));
        assertThat(flow.call("p-1")).isEqualTo("yes");
        assertThatThrownBy(() -> flow.call("p-2")).isInstanceOf(Failed.class);
        assertThatThrownBy(() -> flow.call("p-3"))
                .isInstanceOf(Unknown.class)
                .hasMessage("lost; asked for its status (1 of 1), still unknown: busy");
        assertThat(flow.accounting().sentence())
                .startsWith("offered 3 = answered 1 + rejected 0 + failed 1 + unknown 1");
        assertThat(flow.stages())
                .filteredOn(stage -> stage.stage().equals("settle"))
                .extracting(StageReport::started, StageReport::inFlight, StageReport::note)
                .containsExactly(tuple(3L, 0L, "3 queries: 1 answered, 1 not there, 1 still unknown"));
    }

    @Test
    void itAsksAgainUntilThereIsAClearWord() throws Exception {
        target.fails(lost);
        batchTarget
                .answers(new StillUnknown<>("busy"))
                .fails(new IllegalStateException("a bug"))
                .answers(new Answered<>("yes"));
        assertThat(repeating(1).call("p-1")).isEqualTo("yes");
        assertThat(batchTarget.received()).hasSize(3);
    }

    @Test
    void whatHasNoClearWordStaysUnknownAndIsNotRepeated() {
        target.fails(new Unknown(Unknown.Cause.TIMEOUT, "late", lost));
        batchTarget.answers(new StillUnknown<>("busy"));
        Unknown still = catchThrowableOfType(Unknown.class, () -> repeating(3).call("p-1"));
        assertThat(still.why()).isEqualTo(Unknown.Cause.TIMEOUT);
        assertThat(still).hasMessage("late; asked for its status (3 of 3), still unknown: busy");
        assertThat(still).hasCause(lost);
        assertThat(target.received()).hasSize(1);
        assertThat(batchTarget.received()).hasSize(3);
    }

    @Test
    void aProbeThatFailsLeavesItUnknownAndSaysSo() {
        assertThat(stillUnknown(new IllegalStateException("a bug")))
                .endsWith("still unknown: the status probe failed (java.lang.IllegalStateException: a bug)");
        assertThat(stillUnknown(new Rejected(Rejected.Cause.POOL, "none free")))
                .endsWith("still unknown: the status probe ended as rejected (none free)");
        assertThat(stillUnknown(new Unknown(Unknown.Cause.TIMEOUT, "late")))
                .endsWith("still unknown: the status probe ended as unknown (late)");
    }

    private String stillUnknown(Exception exception) {
        batchTarget.anew().fails(exception);
        target.anew().fails(lost);
        Unknown still = catchThrowableOfType(Unknown.class, () -> repeating(2).call("p-1"));
        assertThat(target.received()).hasSizeLessThan(4);
        return String.valueOf(still.getMessage());
    }

    @Test
    void whoHasAKeyRepeatsFirstAndAsksLast() {
        target.fails(lost);
        batchTarget.answers(new NotThere<>());
        Flow<String, String> flow = once().retry(
                        Retry.byKey((String id) -> id).attempts(3).backoff(ZERO, ZERO))
                .to(target, Settle.by(probe).after(ZERO));
        assertThatThrownBy(() -> flow.call("p-1")).isInstanceOf(Failed.class);
        assertThat(target.received()).hasSize(3);
        assertThat(batchTarget.received()).hasSize(1);
    }

    @Test
    void whatOnlyReadsOrHasNobodyWaitingIsNotAskedFor() {
        record Question(boolean isReadOnly) implements ReadOnly {}
        Service<Question, String> silent = question -> {
            throw lost;
        };
        StatusProbe<Question, String> none = question -> {
            throw new AssertionError("nothing is to be asked");
        };
        Flow<Question, String> reading = once().to(silent, Settle.by(none));
        assertThatThrownBy(() -> reading.call(new Question(true))).isEqualTo(lost);

        target.fails(new InterruptedException());
        assertThatThrownBy(() -> repeating(2).call("p-1"))
                .isInstanceOf(Unknown.class)
                .hasMessageNotContaining("asked");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(batchTarget.received()).isEmpty();
    }

    @Test
    void aRejectionAfterNotThereDoesNotUndoThatItWasSent() {
        target.fails(lost).fails(new Rejected(Rejected.Cause.DEADLINE, "late"));
        batchTarget.answers(new NotThere<>());
        assertThatThrownBy(() -> repeating(3).call("p-1"))
                .isInstanceOf(Failed.class)
                .hasMessageContaining("not there");
    }

    @Test
    void aNewDoubtAfterNotThereIsADoubt() {
        target.fails(lost).fails(new Unknown(Unknown.Cause.TIMEOUT, "late"));
        batchTarget.answers(new NotThere<>()).answers(new StillUnknown<>("busy"));
        assertThatThrownBy(() -> repeating(3).call("p-1"))
                .isInstanceOf(Unknown.class)
                .hasMessageStartingWith("late; ");
        assertThat(target.received()).hasSize(2);
    }

    @Test
    void repeatsOfWhatIsNotThereStayWithinTheBudget() {
        target.fails(lost);
        batchTarget.answers(new NotThere<>());
        Flow<String, String> flow = repeating(2);
        int calls = 1_000;
        for (int call = 0; call < calls; call++) {
            ticker.advance(ofMillis(1));
            assertThatThrownBy(() -> flow.call("p")).isInstanceOf(Failed.class);
        }
        assertThat(target.received().size() - calls).isBetween(200, 220);
    }

    @Test
    void itWaitsBeforeEachQuestionByTheTicker() throws Exception {
        target.fails(lost);
        batchTarget.answers(new StillUnknown<>("busy")).answers(new Answered<>("yes"));
        Flow<String, String> flow = once().random(() -> 0).to(target, Settle.by(probe));
        FutureTask<String> call = start(flow);
        ticker.awaitParked(1);
        ticker.advance(ofMillis(999));
        assertThat(batchTarget.received()).isEmpty();
        ticker.advance(ofMillis(1));
        awaitQuestions(1);
        ticker.awaitParked(1);
        ticker.advance(ofSeconds(1));
        assertThat(call.get()).isEqualTo("yes");
        assertThat(batchTarget.received()).hasSize(2);
    }

    private void awaitQuestions(int wanted) {
        while (batchTarget.received().size() < wanted) {
            Thread.onSpinWait();
        }
    }

    @Test
    void itAsksNothingThatTheDeadlineLeavesNoTimeFor() {
        target.step(request -> {
            ticker.advance(ofMillis(4_100));
            throw lost;
        });
        Flow<String, String> flow =
                once().deadline(ofSeconds(5)).random(() -> 0).to(target, Settle.by(probe));
        assertThatThrownBy(() -> flow.call("p-1"))
                .isInstanceOf(Unknown.class)
                .hasMessage("lost; its status was not asked: the time left is not longer than the wait of 1 s");
        assertThat(batchTarget.received()).isEmpty();
    }

    @Test
    void theTimeLeftTravelsToTheProbe() throws Exception {
        target.step(request -> {
            ticker.advance(ofSeconds(2));
            throw lost;
        });
        Flow<String, Duration> flow = Flow.named("payments")
                .ticker(ticker)
                .deadline(ofSeconds(5))
                .to(
                        request -> Duration.parse(target.call(request)),
                        Settle.by((String request) -> new Answered<>(Objects.requireNonNull(Deadline.current())
                                        .left()))
                                .after(ZERO));
        assertThat(flow.call("p-1")).isEqualTo(ofSeconds(3));
    }

    @Test
    void whoWaitsToAskIsLetGoWhenTheFlowStopsSettling() throws Exception {
        target.fails(lost);
        Flow<String, String> flow = once().to(target, Settle.by(probe));
        FutureTask<String> call = start(flow);
        ticker.awaitParked(1);
        flow.stopSettling();
        assertThatThrownBy(call::get)
                .cause()
                .isInstanceOf(Unknown.class)
                .hasMessage("lost; its status was not asked: the flow is closing");
        assertThatThrownBy(() -> flow.call("p-2")).hasMessageContaining("the flow is closing");
        assertThat(batchTarget.received()).isEmpty();
        assertThat(flow.accounting().isSettled()).isTrue();
        Flow<String, String> without = once().to(target);
        without.stopSettling();
        assertThatThrownBy(() -> without.call("p-3")).isEqualTo(lost);
    }

    @Test
    void whoIsInterruptedWhileWaitingToAskIsLetGo() throws Exception {
        target.fails(lost);
        Flow<String, String> flow = once().to(target, Settle.by(probe));
        FutureTask<String> call = new FutureTask<>(() -> flow.call("p-1"));
        Thread caller = Thread.ofVirtual().start(call);
        ticker.awaitParked(1);
        caller.interrupt();
        assertThatThrownBy(call::get).cause().hasMessageContaining("the caller was interrupted");
        assertThat(batchTarget.received()).isEmpty();
    }

    @Test
    void itShowsItsSettingsAndThoseOfItsProbe() {
        Setting ofProbe =
                new Setting("settle.by", "Id", "a name", "our own reference", java.time.Instant.EPOCH, Origin.GIVEN);
        StatusProbe<String, String> told = new StatusProbe<>() {
            @Override
            public Settled<String> ask(String request) {
                return new NotThere<>();
            }

            @Override
            public java.util.List<Setting> settings() {
                return java.util.List.of(ofProbe);
            }
        };
        Flow<String, String> flow = Flow.named("payments")
                .retry(Retry.whenNotSent())
                .concurrency(5)
                .to(target, Settle.by(told).after(ofMillis(200)));
        assertThat(flow)
                .hasToString(
                        "payments: meter > retry (retry.attempts 3 default)"
                                + " > settle (settle.after 200 ms given, settle.queries 3 default, settle.by Id given)"
                                + " > limit (limit 5 pinned, rate none default, queue.time 1 s default, queue.length 1024 default) > target");
        assertThat(flow.settings()).contains(ofProbe);
        assertThat(Settle.by(told)).hasToString("at most 3 queries, each after 1 s");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        Settle<String, String> settle = Settle.by(probe);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settle.after(ofMillis(-1)))
                .withMessage("settle.after must be 0s to 1h, not -1ms");
        assertThatIllegalArgumentException().isThrownBy(() -> settle.after(Duration.ofHours(2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settle.queries(0))
                .withMessage("settle.queries must be 1 to 10, not 0");
        assertThatIllegalArgumentException().isThrownBy(() -> settle.queries(11));
    }

    private FutureTask<String> start(Flow<String, String> flow) {
        FutureTask<String> call = new FutureTask<>(() -> flow.call("p-1"));
        Thread.ofVirtual().start(call);
        return call;
    }

    private Flow<String, String> repeating(int attempts) {
        return once().retry(Retry.whenNotSent().attempts(attempts).backoff(ZERO, ZERO))
                .to(target, Settle.by(probe).after(ZERO));
    }

    private FlowBuilder<Object> once() {
        return Flow.named("payments").ticker(ticker);
    }
}
