package dev.penstock.collapse;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Accounting;
import dev.penstock.BatchCounts;
import dev.penstock.BatchCounts.SendReason;
import dev.penstock.BreakerSettings;
import dev.penstock.Collapse;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.Unknown;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A collapse among the other stages of a flow. */
@Timeout(120)
class CollapseFlowTest {
    private final ManualTicker ticker = new ManualTicker();
    private final ManualBatchTarget<List<String>> batchTarget = ManualBatchTarget.ofAnswers();

    private Together<List<String>> together(FlowBuilder<Object> builder, Collapse<String, String> collapse) {
        return new Together<>(ticker, builder.ticker(ticker).to(collapse), batchTarget);
    }

    private static FlowBuilder<Object> prices() {
        return Flow.named("prices");
    }

    private static StageReport stage(Flow<?, ?> flow, String name) {
        return flow.stages().stream()
                .filter(stage -> stage.stage().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** So many come, some time apart, that the flow knows how many are to be expected. */
    private void learn(Together<List<String>> here, Duration apart) {
        batchTarget.open();
        for (int number = 0; number < 100; number++) {
            here.come("x");
            ticker.advance(apart);
        }
        ticker.advance(ofSeconds(2));
        Together.await(() -> here.flow().accounting().isSettled(), "all are answered");
    }

    @Test
    void aBatchTakesOnePermitAndTheNextGrowsWhileItIsOut() throws Exception {
        Together<List<String>> here =
                together(prices().concurrency(1).queue(ofSeconds(600)), Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        here.come("a", "b");
        Together.await(() -> stage(here.flow(), "collapse").inFlight() == 2, "the second batch is on its way");
        first.answer();
        ManualBatchTarget.Call<List<String>> second = batchTarget.next();
        here.come("c", "d", "e");
        Together.await(() -> stage(here.flow(), "queue").inFlight() == 1, "one waits for its permit");
        assertThat(Together.batches(here.flow()).out()).isEqualTo(1);
        second.answer();
        assertThat(batchTarget.next().requests()).containsExactly("c", "d", "e");
        batchTarget.open();
        Together.await(() -> here.flow().accounting().isSettled(), "all are answered");
        assertThat(here.flow().accounting().offered())
                .as("the meter sees items")
                .isEqualTo(6);
        assertThat(stage(here.flow(), "target").started())
                .as("the target sees calls")
                .isEqualTo(3);
        assertThat(stage(here.flow(), "collapse").started()).isEqualTo(6);
    }

    @Test
    void whatFindsNoPlaceInLineIsRejectedWithAllWhoAreInIt() throws Exception {
        Together<List<String>> here =
                together(prices().concurrency(1).queue(ofMillis(50)).queueLength(1), Collapse.into(batchTarget));
        here.hold();
        List<Caller> callers = here.come("a", "b");
        ticker.awaitParked(1);
        ticker.advance(ofMillis(50));
        for (Caller caller : callers) {
            CollapseLeavingTest.assertRejected(caller.ending(), Rejected.Cause.QUEUE, "waited 50 ms");
        }
        batchTarget.open();
        assertThat(here.ask("c").ending()).isNotNull();
        assertThat(batchTarget.seen()).doesNotContain(List.of("a", "b"));
        here.awaitNobodyWaits();
    }

    @Test
    void anOpenBreakerRejectsAll() throws Exception {
        Together<List<String>> here =
                together(prices().breaker(new BreakerSettings(1, 0.5, 1, ofSeconds(5), 1)), Collapse.into(batchTarget));
        for (int time = 0; time < 2; time++) {
            Caller lost = here.ask("lost");
            ticker.advance(ofSeconds(1));
            batchTarget.next().fail(new Unknown(Unknown.Cause.CLOSED, "lost"));
            assertThat(lost.ending()).isInstanceOf(Unknown.class);
        }
        CollapseLeavingTest.assertRejected(here.ask("a").ending(), Rejected.Cause.BREAKER, "the breaker is open");
        assertThat(batchTarget.seen()).hasSize(2);
        here.awaitNobodyWaits();
    }

    @Test
    void aRepeatGoesInAnotherBatch() throws Exception {
        Together<List<String>> here = together(
                prices().concurrency(1)
                        .queue(ofSeconds(600))
                        .retry(Retry.whenNotSent().backoff(Duration.ZERO, Duration.ZERO)),
                Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "b");
        first.answer();
        batchTarget.next().fail(new Failed(Failed.Cause.CONNECT, "refused"));
        batchTarget.open();
        assertThat(callers).extracting(Caller::answered).containsExactly("a!", "b!");
        assertThat(stage(here.flow(), "retry").started()).isEqualTo(2);
        assertThat(here.flow().accounting().offered()).isEqualTo(3);
    }

    @Test
    void aBatchIsAsUrgentAsWhatIsInIt() throws Exception {
        Together<List<String>> here = together(
                prices().concurrency(1)
                        .queue(ofSeconds(600))
                        .queueLength(1)
                        .priority(request -> Integer.parseInt(request.toString().substring(1))),
                Collapse.into(batchTarget).per(request -> request.charAt(0)));
        Caller.of(() -> here.flow().call("x3"));
        ManualBatchTarget.Call<List<String>> first = batchTarget.next();
        List<Caller> some = here.come("a4", "a5");
        Together.await(() -> stage(here.flow(), "queue").inFlight() == 1, "its batch stands in line");
        CollapseLeavingTest.assertRejected(here.ask("b4").ending(), Rejected.Cause.LIMIT, "all 1 permits are in use");
        List<Caller> urgent = here.come("c1");
        for (Caller caller : some) {
            assertThat(caller.ending()).as("shed by one more urgent").isInstanceOf(Rejected.class);
        }
        first.answer();
        batchTarget.open();
        assertThat(urgent.getFirst().answered()).isEqualTo("c1!");
    }

    @Test
    void aDrainSendsAtOnceWhatWaitsForOthers() throws Exception {
        Together<List<String>> here =
                together(prices(), Collapse.into(batchTarget).budget(ofSeconds(1)));
        learn(here, ofMillis(10));
        List<Caller> callers = here.come("a", "b");
        ticker.awaitParked(1);
        FutureTask<Accounting> drain = new FutureTask<>(() -> here.flow().drain(ofSeconds(30)));
        Thread.ofVirtual().start(drain);
        assertThat(callers)
                .as("though the clock stands")
                .extracting(Caller::answered)
                .containsExactly("a!", "b!");
        while (!drain.isDone()) {
            ticker.advance(ofMillis(5));
        }
        assertThat(drain.get().isSettled()).isTrue();
        assertThat(batchTarget.seen().getLast()).containsExactly("a", "b");
        assertThat(Together.batches(here.flow()).left()).containsEntry(SendReason.DRAIN, 1L);
        CollapseLeavingTest.assertRejected(here.ask("c").ending(), Rejected.Cause.DRAINING, "shutting down");
    }

    @Test
    void aDrainSendsAlsoWhatWaitsByKey() throws Exception {
        Together<List<String>> here = together(
                prices(), Collapse.into(batchTarget).budget(ofSeconds(1)).per(request -> request.charAt(0)));
        learn(here, ofMillis(10));
        Caller caller = here.come("x1").getFirst();
        ticker.awaitParked(1);
        here.flow().drain(Duration.ZERO);
        assertThat(caller.answered()).isEqualTo("x1!");
    }

    @Test
    void aBatchLeavesByItsBudgetItsDeadlineOrWhenItIsFull() throws Exception {
        Together<List<String>> here = together(
                prices(), Collapse.into(batchTarget).budget(ofSeconds(1)).max(4));
        learn(here, ofMillis(300));
        BatchCounts before = Together.batches(here.flow());
        Caller alone = here.come("alone").getFirst();
        ticker.awaitParked(1);
        ticker.advance(ofMillis(999));
        assertThat(alone.answer().isDone()).isFalse();
        ticker.advance(ofMillis(1));
        assertThat(alone.answered()).isEqualTo("alone!");
        Caller pressed = here.come("pressed", ofMillis(400));
        ticker.awaitParked(1);
        // A call takes next to nothing by this clock.
        ticker.advance(ofMillis(400).minusNanos(1));
        assertThat(pressed.answered()).isEqualTo("pressed!");
        BatchCounts after = Together.batches(here.flow());
        assertThat(after.left().get(SendReason.BUDGET))
                .isEqualTo(before.left().getOrDefault(SendReason.BUDGET, 0L) + 1);
        assertThat(after.left().get(SendReason.DEADLINE))
                .isEqualTo(before.left().getOrDefault(SendReason.DEADLINE, 0L) + 1);
        assertThat(after.sizes().getTotalCount()).isEqualTo(before.sizes().getTotalCount() + 2);
        assertThat(after.count()).isEqualTo(before.count() + 2);
    }

    @Test
    void aBatchLeavesWithTheLastOneThatIsToBeExpected() throws Exception {
        Together<List<String>> here =
                together(prices(), Collapse.into(batchTarget).budget(ofSeconds(1)));
        learn(here, ofMillis(300));
        Caller first = here.come("a").getFirst();
        ticker.awaitParked(1);
        Caller second = here.come("b").getFirst();
        assertThat(first.answered()).as("though the clock stands").isEqualTo("a!");
        assertThat(second.answered()).isEqualTo("b!");
        assertThat(batchTarget.seen().getLast()).containsExactly("a", "b");
    }

    @Test
    void settingsAndChainAreShown() throws Exception {
        Flow<String, String> flow = Flow.named("prices")
                .ticker(ticker)
                .concurrency(3)
                .to(Collapse.into(batchTarget)
                        .max(50)
                        .maxBytes(1_000, String::length)
                        .budget(ofMillis(20)));
        assertThat(flow.toString())
                .startsWith("prices: meter > collapse (collapse.max 50")
                .contains("> limit (limit 3");
        assertThat(flow.settings())
                .filteredOn(setting -> setting.name().startsWith("collapse"))
                .extracting(Setting::name, Setting::value, Setting::origin)
                .contains(
                        tuple("collapse.max", "50", Setting.Origin.GIVEN),
                        tuple("collapse.max_bytes", "1000B", Setting.Origin.GIVEN),
                        tuple("collapse.budget", "20 ms", Setting.Origin.PINNED));
        assertThat(flow.headroom()).isEqualTo(150);
        batchTarget.open();
        assertThat(flow.call("a")).isEqualTo("a!");
        assertThat(Together.batches(flow).sentence()).isEqualTo("1 batches of 1.0 requests (sent by gap 1), 0 waiting");
        assertThat(stage(flow, "collapse").capacity()).isEqualTo(50);
    }
}
