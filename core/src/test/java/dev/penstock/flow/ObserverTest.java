package dev.penstock.flow;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CallContext;
import dev.penstock.Collapse;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Observation.Observer;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObserverTest {
    private final ManualTicker ticker = new ManualTicker();
    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    /** Notes each call, with the name of what it follows. */
    private record Noting(String name, List<String> seen) implements Observation {
        @Override
        public void waited(Wait what, long nanos) {
            seen.add(name + " waited " + what);
        }

        @Override
        public void attempt(long now) {
            seen.add(name + " attempt");
        }

        @Override
        public void attempted(@Nullable Object answer, @Nullable Throwable thrown, long now) {
            seen.add(name + " attempted "
                    + (thrown == null ? answer : thrown.getClass().getSimpleName()));
        }

        @Override
        public @Nullable Observation batch(List<Observation> all, int size, long now) {
            List<String> names =
                    all.stream().map(each -> ((Noting) each).name).sorted().toList();
            seen.add("batch of " + size + " " + names);
            return new Noting("batch", seen);
        }

        @Override
        public void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {
            seen.add(name + " ended " + (ending == null ? answer : ending.why()));
        }
    }

    private final Observer noting = (flow, request, now) -> new Noting(flow + "/" + request, seen);

    @Test
    void attemptsAndWaitsComeInOrder() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        Flow<String, String> flow = Flow.named("f")
                .ticker(ticker)
                .random(new Random(1))
                .retry(Retry.whenNotSent())
                .observer(noting)
                .to(request -> {
                    if (calls.getAndIncrement() == 0) {
                        throw new Failed(Failed.Cause.CONNECT, "refused");
                    }
                    return "fine";
                });
        FutureTask<String> call = start(flow, "a");
        ticker.awaitParked(1);
        ticker.advance(Duration.ofMinutes(1));
        assertThat(call.get()).isEqualTo("fine");
        assertThat(seen)
                .containsExactly(
                        "f/a attempt",
                        "f/a attempted Failed",
                        "f/a waited RETRY",
                        "f/a attempt",
                        "f/a attempted fine",
                        "f/a ended fine");
    }

    @Test
    void rejectionsAndErrorsEndToo() throws Exception {
        Flow<String, String> flow = Flow.named("f").observer(noting).to(request -> {
            throw new IllegalStateException("broken");
        });
        assertThatThrownBy(() -> flow.call("a")).isInstanceOf(Unknown.class);
        flow.drain(Duration.ZERO);
        assertThatThrownBy(() -> flow.call("b")).isInstanceOf(Rejected.class);
        assertThatThrownBy(() -> flow.admit("c")).isInstanceOf(Rejected.class);
        assertThatThrownBy(flow::admit).isInstanceOf(Rejected.class);
        assertThat(seen)
                .containsExactly(
                        "f/a attempt",
                        "f/a attempted IllegalStateException",
                        "f/a ended ERROR",
                        "f/b ended DRAINING",
                        "f/c ended DRAINING",
                        "f/null ended DRAINING");
    }

    @Test
    void aBatchKnowsItsTransactions() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        Flow<String, String> flow = Flow.named("f")
                .concurrency(1)
                .observer(noting)
                .to(Collapse.<String, String>into(requests -> {
                    called.countDown();
                    open.await();
                    return requests;
                }));
        FutureTask<String> alone = start(flow, "x");
        called.await();
        FutureTask<String> first = start(flow, "a");
        FutureTask<String> second = start(flow, "b");
        while (Objects.requireNonNull(flow.batches()).waiting() < 2) {
            Thread.onSpinWait();
        }
        open.countDown();
        assertThat(List.of(alone.get(), first.get(), second.get())).containsExactly("x", "a", "b");
        assertThat(seen)
                .startsWith("batch of 1 [f/x]", "batch attempt")
                .contains("batch of 2 [f/a, f/b]", "f/x ended x", "f/a ended a", "f/b ended b", "batch ended null");
    }

    private static FutureTask<String> start(Flow<String, String> flow, String request) {
        FutureTask<String> call = new FutureTask<>(() -> flow.call(request));
        Thread.ofVirtual().start(call);
        return call;
    }

    @Test
    void theTargetFindsItWhateverThreadItRunsOn() throws Exception {
        Observation passing = new Observation() {
            @Override
            public void propagate(BiConsumer<String, String> fields) {
                fields.accept("traceparent", "00-1-2-03");
            }
        };
        Flow<String, String> flow = Flow.named("f")
                .deadline(ofMillis(60_000))
                .observer((name, request, now) -> passing)
                .to(request -> {
                    Observation mine = Objects.requireNonNull(CallContext.currentObservation());
                    mine.propagate((name, value) -> seen.add(name + "=" + value));
                    return request;
                });
        assertThat(flow.call("a")).isEqualTo("a");
        assertThat(seen).containsExactly("traceparent=00-1-2-03");
    }

    @Test
    void whatAnObserverThrowsChangesNothing() throws Exception {
        Observation broken = new Observation() {
            @Override
            public void attempt(long now) {
                throw new IllegalStateException("broken");
            }

            @Override
            public void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {
                throw new StackOverflowError();
            }
        };
        Flow<String, String> flow =
                Flow.named("f").observer((name, request, now) -> broken).to(request -> request);
        assertThat(flow.call("a")).isEqualTo("a");
        Flow<String, String> never = Flow.named("f")
                .observer((name, request, now) -> {
                    throw new IllegalStateException("broken");
                })
                .to(request -> request);
        assertThat(never.call("a")).isEqualTo("a");
        assertThat(flow.accounting().answered()).isEqualTo(1);
    }
}
