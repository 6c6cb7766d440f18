package dev.penstock.deadline;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Collapse;
import dev.penstock.Deadline;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Settle;
import dev.penstock.StageReport;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A target that ignores its deadline does not keep its caller beyond it. */
@Timeout(120)
class TimeLimiterTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Semaphore ends = new Semaphore(0);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    private FlowBuilder<Object> builder() {
        return Flow.named("payments")
                .ticker(ticker)
                .deadline(ofSeconds(1))
                .concurrency(1)
                .queueLength(0);
    }

    /** Waits for its end, and ends at once when it is interrupted. */
    private String interruptible(String request) throws InterruptedException {
        try {
            ends.acquire();
        } catch (InterruptedException e) {
            interrupted.countDown();
            throw e;
        }
        return request;
    }

    /** Waits for its end, interrupted or not. */
    private String stubborn(String request) {
        ends.acquireUninterruptibly();
        return request;
    }

    private Unanswered timeOut(Callable<?> call) throws Exception {
        FutureTask<?> caller = start(call);
        ticker.awaitParked(1);
        ticker.advance(ofSeconds(1));
        return ending(caller);
    }

    private static FutureTask<?> start(Callable<?> call) {
        FutureTask<?> caller = new FutureTask<>(call);
        Thread.ofVirtual().start(caller);
        return caller;
    }

    private static Unanswered ending(FutureTask<?> caller) throws Exception {
        try {
            throw new AssertionError("answered by " + caller.get(30, TimeUnit.SECONDS));
        } catch (ExecutionException ended) {
            return (Unanswered) Objects.requireNonNull(ended.getCause());
        }
    }

    private static void assertTimeout(Unanswered ending) {
        assertThat(ending)
                .isInstanceOfSatisfying(
                        Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.TIMEOUT));
    }

    static void await(BooleanSupplier come) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!come.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("30 s are over").isNegative();
            Thread.yield();
        }
    }

    private static StageReport target(Flow<?, ?> flow) {
        return flow.stages().getLast();
    }

    @Test
    void aTargetThatIgnoresItsDeadlineIsInterruptedAndTheTransactionIsUnknown() throws Exception {
        Flow<String, String> flow = builder().to(this::interruptible);
        assertTimeout(timeOut(() -> flow.call("q")));
        assertThat(flow.accounting().isSettled()).isTrue();
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        await(() -> flow.strayCalls() == 0);
        assertThat(flow.headroom()).isEqualTo(1);
        ends.release();
        assertThat(flow.call("next")).isEqualTo("next");
        assertThat(target(flow).note()).startsWith("2 attempts, 0 in flight; 1 exceeded the deadline");
    }

    @Test
    void whoeverCannotBeInterruptedKeepsItsPermitUntilItEndsAndItsCallerReturnsInTime() throws Exception {
        Flow<String, String> flow = builder().to(this::stubborn);
        assertTimeout(timeOut(() -> flow.call("q")));
        assertThat(flow.accounting().isSettled()).isTrue();
        assertThat(flow.strayCalls()).isEqualTo(1);
        assertThat(flow.headroom()).isZero();
        assertThat(target(flow))
                .extracting(StageReport::started, StageReport::inFlight)
                .containsExactly(1L, 0L);
        assertThat(target(flow).note()).endsWith("1 exceeded the deadline and were interrupted, 1 of these still run");
        assertThatThrownBy(() -> flow.call("next")).isInstanceOf(Rejected.class);
        ends.release(2);
        await(() -> flow.strayCalls() == 0);
        assertThat(flow.headroom()).isEqualTo(1);
        assertThat(flow.call("next")).isEqualTo("next");
        assertThat(flow.headroom()).isEqualTo(1);
        assertThat(target(flow))
                .extracting(StageReport::started, StageReport::inFlight)
                .containsExactly(2L, 0L);
    }

    @Test
    void theDeadlineOfTheCallerBoundsATargetOfAFlowWithoutOne() throws Exception {
        Flow<String, String> flow = Flow.named("payments").ticker(ticker).to(this::stubborn);
        assertTimeout(timeOut(() -> Deadline.in(ofSeconds(1), ticker).call(() -> flow.call("q"))));
        assertThat(flow.strayCalls()).isEqualTo(1);
        ends.release();
        await(() -> flow.strayCalls() == 0);
        assertThat(flow.accounting().isSettled()).isTrue();
    }

    @Test
    void aTargetSeesTheTimeLeft() throws Exception {
        Flow<String, Duration> flow = builder()
                .to(request -> Objects.requireNonNull(Deadline.current()).left());
        assertThat(flow.call("q")).isEqualTo(ofSeconds(1));
        assertThat(Deadline.in(ofMillis(30), ticker).call(() -> flow.call("q"))).isEqualTo(ofMillis(30));
    }

    @Test
    void theInterruptOfACallerReachesTheTarget() throws Exception {
        Flow<String, String> flow = builder().to(this::interruptible);
        AtomicReference<Boolean> stays = new AtomicReference<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        FutureTask<?> caller = start(() -> {
            thread.set(Thread.currentThread());
            try {
                return flow.call("q");
            } finally {
                stays.set(Thread.interrupted());
            }
        });
        ticker.awaitParked(1);
        thread.get().interrupt();
        assertThat(ending(caller))
                .isInstanceOfSatisfying(
                        Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.INTERRUPTED));
        assertThat(stays.get()).isTrue();
        assertThat(flow.headroom()).isEqualTo(1);
    }

    @Test
    void aTargetThatTakesAnInterruptAndAnswersLeavesItsCallerUninterrupted() throws Exception {
        Flow<String, String> flow = builder().to(request -> {
            try {
                return interruptible(request);
            } catch (InterruptedException taken) {
                return "taken";
            }
        });
        Thread.currentThread().interrupt();
        assertThat(flow.call("q")).isEqualTo("taken");
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void anInterruptOfTheCallerThatNobodyTookStays() throws Exception {
        Flow<String, String> flow = builder().to(this::stubborn);
        AtomicReference<Boolean> stays = new AtomicReference<>();
        assertTimeout(timeOut(() -> {
            Thread.currentThread().interrupt();
            try {
                return flow.call("q");
            } finally {
                stays.set(Thread.interrupted());
            }
        }));
        assertThat(stays.get()).isTrue();
        ends.release();
        await(() -> flow.strayCalls() == 0);
    }

    @Test
    void whatATargetThrowsReachesItsCaller() {
        Flow<String, String> flow = builder().to(request -> {
            switch (request) {
                case "rejected" -> throw new Rejected(Rejected.Cause.POOL, "none free");
                case "mistake" -> throw new IllegalStateException("a bug");
                default -> throw new StackOverflowError("deep");
            }
        });
        assertThatThrownBy(() -> flow.call("rejected"))
                .isInstanceOf(Rejected.class)
                .hasMessage("none free");
        assertThatThrownBy(() -> flow.call("mistake"))
                .isInstanceOf(Unknown.class)
                .hasMessageContaining("a bug");
        assertThatThrownBy(() -> flow.call("error")).isInstanceOf(StackOverflowError.class);
        assertThat(flow.accounting().isSettled()).isTrue();
        assertThat(flow.headroom()).isEqualTo(1);
    }

    @Test
    void whoHonorsDeadlinesAndWhoHasNoneIsCalledOnTheThreadOfItsCaller() throws Exception {
        Service<String, Thread> where = request -> Thread.currentThread();
        assertThat(builder().to(where).call("q")).isNotSameAs(Thread.currentThread());
        assertThat(builder().to(Service.honoringDeadline(where)).call("q")).isSameAs(Thread.currentThread());
        assertThat(builder().to(builder().to(Service.honoringDeadline(where))).call("q"))
                .isSameAs(Thread.currentThread());
        assertThat(Flow.named("payments").concurrency(1).to(where).call("q")).isSameAs(Thread.currentThread());
    }

    @Test
    void aBatchFunctionThatIgnoresItsDeadlineIsInterruptedAndKeepsItsPermitUntilItEnds() throws Exception {
        for (int max : new int[] {1, 10}) {
            Flow<String, String> flow = builder()
                    .to(Collapse.<String, String>into(requests -> List.of(stubborn(requests.getFirst())))
                            .max(max));
            FutureTask<?> caller = start(() -> flow.call("q"));
            // Who travels alone waits on the caller's thread, and a batch on its own while its caller waits too.
            ticker.awaitParked(max == 1 ? 1 : 2);
            ticker.advance(ofSeconds(1));
            assertTimeout(ending(caller));
            await(() -> flow.strayCalls() == 1);
            assertThat(flow.headroom()).isZero();
            ends.release();
            await(() -> flow.strayCalls() == 0);
            assertThat(flow.headroom()).isEqualTo(max);
            assertThat(flow.accounting().isSettled()).isTrue();
        }
    }

    @Test
    void aStatusProbeThatIgnoresItsDeadlineIsInterrupted() throws Exception {
        Flow<String, String> flow = builder()
                .to(
                        Service.honoringDeadline(request -> {
                            throw new Unknown(Unknown.Cause.CLOSED, "lost");
                        }),
                        Settle.<String, String>by(request -> {
                                    interruptible(request);
                                    return new Settled.NotThere<>();
                                })
                                .after(Duration.ZERO));
        assertThat(timeOut(() -> flow.call("q")))
                .isInstanceOfSatisfying(
                        Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED))
                .hasMessageContaining("no answer within the time allowed");
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(flow.headroom()).isEqualTo(1);
    }
}
