package dev.penstock.collapse;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Collapse;
import dev.penstock.Ending;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers whose time is up, or who are interrupted, before their batch is sent and after. */
@Timeout(120)
class CollapseLeavingTest {
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 300_000_000);
    private final ManualBatchTarget<List<String>> batchTarget = ManualBatchTarget.ofAnswers();

    private Together<List<String>> together(Collapse<String, String> collapse) {
        return together(collapse, Flow.named("prices"));
    }

    private Together<List<String>> together(Collapse<String, String> collapse, FlowBuilder<Object> builder) {
        Flow<String, String> flow =
                builder.ticker(ticker).concurrency(1).queue(ofSeconds(600)).to(collapse);
        return new Together<>(ticker, flow, batchTarget);
    }

    @Test
    void whatRunsOutOfTimeBeforeItIsSentIsRejectedAndNeverSent() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        Caller patient = here.come("patient", ofSeconds(9));
        Caller hasty = here.come("hasty", ofMillis(200));
        ticker.advance(ofMillis(199));
        assertThat(hasty.answer().isDone()).isFalse();
        ticker.advance(ofMillis(1));
        assertRejected(hasty.ending(), Rejected.Cause.DEADLINE, "the deadline passed before its batch was sent");
        first.answer();
        assertThat(batchTarget.next().requests()).containsExactly("patient");
        batchTarget.open();
        assertThat(patient.answered()).isEqualTo("patient!");
        Together.await(() -> here.flow().accounting().isSettled(), "all have ended");
        assertThat(here.flow().accounting().sentence()).endsWith("in flight 0, rejected by deadline 1");
    }

    @Test
    void whatRunsOutOfTimeAfterItWasSentIsUnknown() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        Caller hasty = here.come("hasty", ofMillis(200));
        Caller patient = here.come("patient", ofSeconds(9));
        first.answer();
        ManualBatchTarget.Call<List<String>> call = batchTarget.next();
        assertThat(call.requests()).containsExactly("hasty", "patient");
        ticker.advance(ofMillis(200));
        CollapseTest.assertUnknown(hasty.ending(), Unknown.Cause.TIMEOUT, "the call of its batch is still in progress");
        assertThat(patient.answer().isDone()).isFalse();
        call.answer();
        assertThat(patient.answered()).isEqualTo("patient!");
    }

    @Test
    void theDeadlineOfABatchIsTheLatestOfThoseInIt() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        here.come("soon", ofMillis(200));
        here.come("late", ofSeconds(9));
        here.come("sooner", ofMillis(150));
        ticker.advance(ofMillis(100));
        first.answer();
        ManualBatchTarget.Call<List<String>> call = batchTarget.next();
        assertThat(call.left()).isEqualTo(ofMillis(8_900));
        here.come("a", ofSeconds(9));
        here.come("no deadline");
        call.answer();
        assertThat(batchTarget.next().left()).isNull();
        batchTarget.open();
    }

    @Test
    void theLatestCountsAlsoWhenItAsksForTheSameAsAnEarlierOne() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget).same(request -> request));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        here.come("a", ofMillis(200));
        Caller late = here.come("a", ofSeconds(9));
        first.answer();
        ManualBatchTarget.Call<List<String>> call = batchTarget.next();
        assertThat(call.left()).isEqualTo(ofSeconds(9));
        ticker.advance(ofMillis(200));
        call.answer();
        assertThat(late.answered()).isEqualTo("a!");
    }

    @Test
    void whatNobodyCouldAnswerInTimeIsTurnedAwayButForATrialOnceInAWhile() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        ticker.advance(ofMillis(500));
        first.answer();
        Together.await(() -> here.flow().accounting().isSettled(), "it is answered");
        Caller trial = here.ask("trial", ofMillis(400));
        ManualBatchTarget.Call<List<String>> call = batchTarget.next();
        assertRejected(
                here.ask("hopeless", ofMillis(400)).ending(),
                Rejected.Cause.DEADLINE,
                "not sent with 400 ms left before the deadline, since no recent call took less than 500 ms");
        here.ask("enough", ofMillis(700));
        call.answer();
        assertThat(trial.answered()).isEqualTo("trial!");
        assertThat(batchTarget.next().requests()).containsExactly("enough");
        batchTarget.open();
    }

    @Test
    void whatHasBecomeHopelessWhileItWaitedForItsPermitIsNotSent() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        ticker.advance(ofMillis(100));
        first.answer();
        Together.await(() -> here.flow().accounting().isSettled(), "it is answered");
        ManualBatchTarget.Call<List<String>> second = here.hold();
        Caller hopeless = here.come("hopeless", ofMillis(250));
        Caller late = here.come("late", ofSeconds(9));
        ticker.advance(ofMillis(200));
        second.answer();
        assertRejected(hopeless.ending(), Rejected.Cause.DEADLINE, "not sent with 50 ms left");
        assertThat(batchTarget.next().requests()).containsExactly("late");
        batchTarget.open();
        late.answered();
    }

    @Test
    void whoIsInterruptedBeforeIsRejectedAndHisPlaceIsFree() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget).max(2));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "leaves");
        callers.getLast().thread().interrupt();
        assertRejected(callers.getLast().ending(), Rejected.Cause.QUEUE, "interrupted before its batch was sent");
        here.come("b");
        first.answer();
        assertThat(batchTarget.next().requests()).containsExactly("a", "b");
        batchTarget.open();
    }

    @Test
    void whoIsInterruptedAfterwardsIsUnknownAndTheBatchGoesOn() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "leaves");
        first.answer();
        ManualBatchTarget.Call<List<String>> call = batchTarget.next();
        callers.getLast().thread().interrupt();
        CollapseTest.assertUnknown(callers.getLast().ending(), Unknown.Cause.INTERRUPTED, "at the target");
        call.answer();
        assertThat(callers.getFirst().answered()).isEqualTo("a!");
    }

    @Test
    void whenAllHaveLeftNothingIsSent() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "b");
        for (Caller caller : callers) {
            caller.thread().interrupt();
            assertThat(caller.ending()).isInstanceOf(Rejected.class);
        }
        first.answer();
        batchTarget.open();
        assertThat(here.ask("c").answered()).isEqualTo("c!");
        assertThat(batchTarget.seen()).containsExactly(first.requests(), List.of("c"));
        assertThat(here.flow().stages().getLast().started()).isEqualTo(2);
    }

    static void assertRejected(Ending ending, Rejected.Cause why, String message) {
        assertThat(ending).isInstanceOfSatisfying(Rejected.class, rejected -> {
            assertThat(rejected.why()).isEqualTo(why);
            assertThat(rejected).hasMessageContaining(message);
        });
    }
}
