package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Busy;
import dev.penstock.CallContext;
import dev.penstock.Deadline;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LimitTest {
    private final ManualTicker ticker = new ManualTicker();

    @Test
    void aControllerThatThrowsKeepsNoPermit() {
        RecordingController brokenUpdate = new RecordingController(1) {
            @Override
            public void update(long now, int inFlight) {
                throw new IllegalStateException("broken");
            }
        };
        RecordingController brokenTurn = new RecordingController(1) {
            @Override
            public Turn turn(long now) {
                throw new IllegalStateException("broken");
            }
        };
        for (LimitController broken : List.of(brokenUpdate, brokenTurn)) {
            Limit limit = Limits.of(broken, 0, Duration.ZERO, ticker);
            Calls calls = new Calls(ticker, Limits.filter(limit).around(request -> request));
            assertThatThrownBy(() -> calls.call("q")).hasMessage("broken");
            assertThat(limit.queue.out()).isZero();
        }
    }

    @Test
    void anAnswerWhoseIsBusyThrowsIsStillTheAnswerAndKeepsNoPermit() throws Exception {
        Busy broken = () -> {
            throw new IllegalStateException("broken");
        };
        Flow<String, Busy> flow =
                Flow.named("payments").concurrency(1).queueLength(0).to(request -> broken);
        for (int call = 0; call < 3; call++) {
            assertThat(flow.call("q")).isSameAs(broken);
        }
        assertThat(flow.headroom()).isEqualTo(1);
        assertThat(flow.accounting().answered()).isEqualTo(3);
    }

    @Test
    void anAnswerWhoseIsBusyThrowsAnErrorKeepsNoPermit() {
        Busy broken = () -> {
            throw new StackOverflowError();
        };
        Flow<String, Busy> flow =
                Flow.named("payments").concurrency(1).queueLength(0).to(request -> broken);
        for (int call = 0; call < 3; call++) {
            assertThatThrownBy(() -> flow.call("q")).isInstanceOf(StackOverflowError.class);
        }
        assertThat(flow.headroom()).isEqualTo(1);
        assertThat(flow.accounting().isSettled()).isTrue();
    }

    @Test
    void anAnswerThatCameTooLateCountsAsDropped() throws Exception {
        RecordingController recording = new RecordingController(1);
        Service<String, String> slow = Limits.<String, String>filter(Limits.of(recording, 0, Duration.ZERO, ticker))
                .around(request -> {
                    ticker.advance(ofMillis(60));
                    CallContext.required().tick();
                    return request;
                });
        Deadline.in(ofMillis(59), ticker).call(() -> slow.call("q"));
        assertThat(recording.turn.dropped()).isEqualTo(1);
        Deadline.in(ofMillis(60), ticker).call(() -> slow.call("q"));
        assertThat(recording.turn.dropped()).isEqualTo(1);
        assertThat(recording.turn.answered()).isEqualTo(1);
    }

    @Test
    void asManyAsTheLimitPassAtOnce() throws Exception {
        Limit limit = limit(3, 0, Duration.ZERO);
        Permit.of(limit);
        Permit.of(limit);
        Permit.of(limit);
        assertThat(limit.queue.out()).isEqualTo(3);
        assertRejected(limit, Rejected.Cause.LIMIT, "all 3 permits are in use and 0 requests wait");
    }

    @Test
    void aReleasedPermitLetsTheNextPass() throws Exception {
        Limit limit = limit(1, 0, Duration.ZERO);
        Permit.of(limit).success();
        Permit.of(limit).dropped();
        Permit.of(limit).failed();
        Permit.of(limit).ignored();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void whoWaitsIsServedInOrder() throws Exception {
        Limit limit = limit(1, 10, ofSeconds(1));
        Permit first = Permit.of(limit);
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<Future<?>> waiters = new ArrayList<>();
        for (int number = 1; number <= 5; number++) {
            int me = number;
            waiters.add(inBackground(() -> {
                Permit permit = Permit.of(limit);
                served.add(me);
                permit.success();
                return me;
            }));
            ticker.awaitParked(number);
        }
        assertThat(limit.queue.waiting()).isEqualTo(5);
        first.success();
        for (Future<?> waiter : waiters) {
            waiter.get();
        }
        assertThat(served).containsExactly(1, 2, 3, 4, 5);
        assertThat(limit.queue.out()).isZero();
        assertThat(limit.report().times().getTotalCount()).isEqualTo(5);
    }

    @Test
    void whoFindsTheQueueFullIsRejectedAtOnce() throws Exception {
        Limit limit = limit(1, 1, ofSeconds(1));
        Permit held = Permit.of(limit);
        Future<Permit> waiter = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        assertRejected(limit, Rejected.Cause.LIMIT, "all 1 permits are in use and 1 requests wait");
        held.success();
        waiter.get().success();
    }

    @Test
    void whoWaitedAsLongAsTheQueueAllowsIsRejected() throws Exception {
        Limit limit = limit(1, 10, ofMillis(500));
        Permit.of(limit);
        Future<Permit> waiter = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(499));
        assertThat(limit.queue.waiting()).isEqualTo(1);
        ticker.advance(ofMillis(1));
        assertRejected(waiter, Rejected.Cause.QUEUE, "waited 500 ms for one of 1 permits");
        assertThat(limit.queue.waiting()).isZero();
    }

    @Test
    void theDeadlineBoundsTheWaitWhenItComesFirst() throws Exception {
        Limit limit = limit(1, 10, ofMillis(500));
        Permit.of(limit);
        Future<Permit> waiter =
                inBackground(() -> Deadline.in(ofMillis(200), ticker).call(() -> Permit.of(limit)));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(200));
        assertRejected(waiter, Rejected.Cause.DEADLINE, "too little time was left after the request waited");
    }

    @Test
    void whoIsInterruptedWhileWaitingLeavesTheLine() throws Exception {
        Limit limit = limit(1, 10, ofSeconds(1));
        Permit held = Permit.of(limit);
        Future<Permit> waiter = Calls.interruptedWait(limit, ticker);
        assertRejected(waiter, Rejected.Cause.QUEUE, "interrupted while it waited");
        assertThat(limit.queue.waiting()).isZero();
        held.success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPermitIsNotGivenToWhoHasLeft() throws Exception {
        Limit limit = limit(1, 10, ofMillis(500));
        Permit held = Permit.of(limit);
        Future<Permit> leaver = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(400));
        Future<Permit> patient = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(2);
        ticker.advance(ofMillis(100));
        assertRejected(leaver, Rejected.Cause.QUEUE, "waited 500 ms");
        held.success();
        patient.get().success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aQueueOfNegativeLengthOrTimeIsRefused() {
        assertThatThrownBy(() -> limit(1, -1, ofSeconds(1))).hasMessageContaining("0 to 1000000, not -1");
        assertThatThrownBy(() -> limit(1, 1, ofSeconds(-1))).hasMessageContaining("0 or more");
        assertThatThrownBy(() -> limit(0, 1, ofSeconds(1))).hasMessageContaining("a limit must be 1 to 1000000, not 0");
    }

    private Limit limit(int permits, int length, Duration time) {
        return Limits.fixed(permits, length, time, ticker);
    }

    private static void assertRejected(Limit limit, Rejected.Cause why, String message) {
        assertThatThrownBy(() -> Permit.of(limit))
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(why))
                .hasMessageContaining(message);
    }

    private static void assertRejected(Future<Permit> waiter, Rejected.Cause why, String message) {
        assertThatThrownBy(waiter::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(why))
                .hasMessageContaining(message);
    }
}
