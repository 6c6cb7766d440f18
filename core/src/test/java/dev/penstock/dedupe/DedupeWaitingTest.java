package dev.penstock.dedupe;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Deadline;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several of one key at the same time, in this process and in another. */
@Timeout(120)
class DedupeWaitingTest {
    private final ManualTicker ticker = new ManualTicker();
    private final IdempotencyStore store = IdempotencyStore.inMemory(1_000, ticker);
    private final AtomicInteger sent = new AtomicInteger();
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private Flow<String, String> flow(Service<String, String> target) {
        return Flow.named("payments").ticker(ticker).dedupe(Words.dedupe(store)).to(target);
    }

    private String held(String request) throws Exception {
        sent.incrementAndGet();
        arrived.countDown();
        go.await();
        return "answer";
    }

    private static FutureTask<String> start(Callable<String> work) {
        FutureTask<String> task = new FutureTask<>(() -> {
            try {
                return work.call();
            } catch (Unanswered ending) {
                return ending.ending() + " " + ending.causeName();
            }
        });
        Thread.ofVirtual().start(task);
        return task;
    }

    private FutureTask<String> start(Flow<String, String> flow, Duration time) {
        return start(() -> Deadline.in(time, ticker).call(() -> flow.call("a:x")));
    }

    private static void awaitWaiting(Flow<?, ?> flow, int many) {
        while (Words.dedupeCounts(flow).waiting() < many) {
            if (Thread.interrupted()) {
                throw new AssertionError("it did not become so in time");
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void thoseThatComeMeanwhileWaitForTheFirstAndEndAsItDoes() throws Exception {
        Flow<String, String> flow = flow(this::held);
        FutureTask<String> first = start(() -> flow.call("a:x"));
        arrived.await();
        FutureTask<String> second = start(() -> flow.call("a:x"));
        FutureTask<String> third = start(flow, ofSeconds(9));
        awaitWaiting(flow, 2);
        assertThat(flow.accounting().inFlight()).isEqualTo(3);
        go.countDown();
        assertThat(first.get()).isEqualTo("answer");
        assertThat(second.get()).isEqualTo("answer");
        assertThat(third.get()).isEqualTo("answer");
        assertThat(sent).hasValue(1);
        assertThat(flow.accounting().sentence()).startsWith("offered 3 = answered 3 + ");
        assertThat(Words.dedupeCounts(flow))
                .extracting(Dedupe.Counts::waited, Dedupe.Counts::waiting)
                .containsExactly(2L, 0L);
    }

    @Test
    void whoseTimeIsUpFirstIsUnknownForTheFirstMayTakeEffect() throws Exception {
        Flow<String, String> flow = flow(this::held);
        FutureTask<String> first = start(() -> flow.call("a:x"));
        arrived.await();
        FutureTask<String> second = start(flow, ofMillis(50));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(60));
        assertThat(second.get()).isEqualTo("unknown timeout");
        go.countDown();
        assertThat(first.get()).isEqualTo("answer");
    }

    @Test
    void shortDeadlineOfTheFirstEndsOnlyTheFirstIfARepeatMayBeSent() throws Exception {
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Words.dedupe(store))
                .retry(Retry.byKey((String request) -> request).attempts(1))
                .to(request -> sent.get() == 0 ? held(request) : "answer " + sent.incrementAndGet());
        FutureTask<String> first = start(flow, ofMillis(50));
        arrived.await();
        FutureTask<String> second = start(flow, ofSeconds(9));
        FutureTask<String> third = start(flow, ofSeconds(9));
        awaitWaiting(flow, 2);
        ticker.awaitParked(3);
        ticker.advance(ofMillis(60));
        assertThat(first.get()).isEqualTo("unknown timeout");
        assertThat(second.get()).isEqualTo("answer 2");
        assertThat(third.get()).isEqualTo("answer 2");
        assertThat(flow.accounting().isBalanced()).isTrue();
    }

    @Test
    void whoIsInterruptedWhileHeWaitsIsUnknown() throws Exception {
        Flow<String, String> flow = flow(this::held);
        start(() -> flow.call("a:x"));
        arrived.await();
        FutureTask<String> task = new FutureTask<>(() -> {
            try {
                return flow.call("a:x");
            } catch (Unanswered ending) {
                return ending.ending() + " " + ending.causeName();
            }
        });
        Thread second = Thread.ofVirtual().start(task);
        awaitWaiting(flow, 1);
        second.interrupt();
        assertThat(task.get()).isEqualTo("unknown interrupted");
        go.countDown();
    }

    @Test
    void anotherRequestWithTheSameKeyIsRefusedAtOnce() throws Exception {
        Flow<String, String> flow = flow(this::held);
        start(() -> flow.call("a:x"));
        arrived.await();
        assertThat(start(() -> flow.call("a:y")).get()).isEqualTo("failed refused");
        go.countDown();
    }

    @Test
    void whenTheFirstWasNeverSentTheNextOneIsTheFirst() throws Exception {
        AtomicInteger turn = new AtomicInteger();
        Flow<String, String> flow = flow(request -> {
            if (turn.incrementAndGet() == 1) {
                arrived.countDown();
                go.await();
                throw new Rejected(Rejected.Cause.LIMIT, "full");
            }
            return "answer";
        });
        FutureTask<String> first = start(() -> flow.call("a:x"));
        arrived.await();
        FutureTask<String> second = start(() -> flow.call("a:x"));
        FutureTask<String> third = start(() -> flow.call("a:x"));
        awaitWaiting(flow, 2);
        go.countDown();
        assertThat(first.get()).isEqualTo("rejected limit");
        assertThat(second.get()).isEqualTo("answer");
        assertThat(third.get()).isEqualTo("answer");
        assertThat(turn).hasValue(2);
    }

    @Test
    void aFailureOfTheFirstIsThatOfAllWhoWaited() throws Exception {
        Flow<String, String> flow = flow(request -> {
            sent.incrementAndGet();
            arrived.countDown();
            go.await();
            throw new Failed(Failed.Cause.CONNECT, "refused");
        });
        FutureTask<String> first = start(() -> flow.call("a:x"));
        arrived.await();
        FutureTask<String> second = start(() -> flow.call("a:x"));
        awaitWaiting(flow, 1);
        go.countDown();
        assertThat(first.get()).isEqualTo("failed connect");
        assertThat(second.get()).isEqualTo("failed connect");
        assertThat(sent).hasValue(1);
    }

    /** A process that is killed now leaves nothing of those that waited for a permit. */
    @Test
    void whatWaitsForAPermitHasNotClaimedItsKey() throws Exception {
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Words.dedupe(store))
                .concurrency(1)
                .queue(ofSeconds(100))
                .queueLength(10)
                .to(this::held);
        FutureTask<String> first = start(() -> flow.call("a:x"));
        arrived.await();
        FutureTask<String> second = start(() -> flow.call("b:x"));
        FutureTask<String> third = start(() -> Deadline.in(ofMillis(50), ticker).call(() -> flow.call("c:x")));
        ticker.awaitParked(2);
        assertThat(store.find("payments/a")).isNotNull();
        assertThat(store.find("payments/b")).isNull();
        assertThat(store.find("payments/c")).isNull();
        ticker.advance(ofMillis(60));
        assertThat(third.get()).startsWith("rejected");
        go.countDown();
        assertThat(first.get()).isEqualTo("answer");
        assertThat(second.get()).isEqualTo("answer");
        assertThat(store.find("payments/c")).isNull();
        assertThat(store.find("payments/b")).isNotNull();
    }

    @Test
    void oneInAnotherProcessIsWaitedForToo() throws Exception {
        Flow<String, String> here = flow(this::held);
        Flow<String, String> there = flow(request -> "never");
        FutureTask<String> first = start(() -> here.call("a:x"));
        arrived.await();
        FutureTask<String> second = start(there, ofSeconds(9));
        FutureTask<String> late = start(flow(request -> "never"), ofMillis(30));
        ticker.awaitParked(2);
        ticker.advance(ofMillis(30));
        assertThat(late.get()).isEqualTo("unknown timeout");
        ticker.awaitParked(1);
        go.countDown();
        assertThat(first.get()).isEqualTo("answer");
        ticker.advance(ofSeconds(1));
        assertThat(second.get()).isEqualTo("answer");
        assertThat(sent).hasValue(1);
    }
}
