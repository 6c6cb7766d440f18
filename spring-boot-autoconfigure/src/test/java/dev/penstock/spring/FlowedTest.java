package dev.penstock.spring;

import static dev.penstock.spring.PenstockContext.NOWHERE;
import static dev.penstock.spring.PenstockContext.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Rejected;
import dev.penstock.flow.Flow;
import dev.penstock.http.RawPeer;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.web.client.RestClient;

/** Calls of methods with {@link Flowed} go through flows. */
class FlowedTest {
    static class Prices {
        @Flowed("prices")
        public @Nullable Object of(Callable<?> article) throws Exception {
            return article.call();
        }

        @Flowed("prices")
        public @Nullable Object quietly(Supplier<?> article) {
            return article.get();
        }

        @Flowed("prices")
        public void declares() throws Rejected {}
    }

    private static ApplicationContextRunner prices(String... properties) {
        return runner().withBean(Prices.class)
                .withPropertyValues("penstock.flows.prices.deadline=5s")
                .withPropertyValues(properties);
    }

    private static Flow<?, ?> flow(PenstockFlows flows) {
        return flows.methods("prices");
    }

    @Test
    void aCallGoesThroughTheFlowOnItsThread() {
        prices().run(context -> {
            Prices prices = context.getBean(Prices.class);
            assertThat(AopUtils.isCglibProxy(prices)).isTrue();
            assertThat(prices.of(Thread::currentThread)).isSameAs(Thread.currentThread());
            assertThat(prices.of(() -> null)).isNull();
            PenstockFlows flows = context.getBean(PenstockFlows.class);
            assertThat(flow(flows).accounting().answered()).isEqualTo(2);
            assertThat(flows.flows()).extracting(flow -> flow.name()).containsExactly("prices");
            assertThat(context).doesNotHaveBean(Flow.class);
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> flows.flow("prices"))
                    .withMessageContaining("no target");
        });
    }

    @Test
    void anExceptionIsAnUnknownEndingAndReachesTheCaller() {
        prices("penstock.flows.prices.retry.attempts=3").run(context -> {
            IOException away = new IOException("away");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> context.getBean(Prices.class).of(() -> {
                        throw away;
                    }))
                    .isSameAs(away);
            assertThat(flow(context.getBean(PenstockFlows.class)).accounting().unknown())
                    .isEqualTo(1);
        });
    }

    @Test
    void anIdempotentCallIsRepeated() {
        prices("penstock.flows.prices.retry.attempts=3", "penstock.flows.prices.idempotent=true")
                .run(context -> {
                    int[] calls = {0};
                    Object answer = context.getBean(Prices.class).of(() -> {
                        if (++calls[0] < 3) {
                            throw new IllegalStateException("again");
                        }
                        return calls[0];
                    });
                    assertThat(answer).isEqualTo(3);
                    assertThat(flow(context.getBean(PenstockFlows.class))
                                    .accounting()
                                    .answered())
                            .isEqualTo(1);
                });
    }

    @Test
    void whatTheFlowRejectsIsNotCalled() {
        prices("penstock.flows.prices.limit=1", "penstock.flows.prices.queue.length=0")
                .run(context -> {
                    Prices prices = context.getBean(Prices.class);
                    UnansweredMethodException inner = catchThrowableOfType(
                            UnansweredMethodException.class, () -> prices.quietly(() -> prices.quietly(() -> "never")));
                    assertThat(inner.ending().why()).isEqualTo(Rejected.Cause.LIMIT);
                    assertThatExceptionOfType(Rejected.class)
                            .isThrownBy(() -> prices.of(() -> prices.of(() -> "never")));
                    PenstockFlows flows = context.getBean(PenstockFlows.class);
                    assertThat(flow(flows).accounting().rejected()).isEqualTo(2);
                    assertThat(flow(flows).accounting().unknown())
                            .isEqualTo(2); // what an inner call shows about the outer one
                    flows.stop();
                    assertThatExceptionOfType(Rejected.class).isThrownBy(prices::declares);
                });
    }

    /** Else the requests of what is in flight would be rejected. */
    @Test
    void methodsDrainBeforeTheFlowsThatTheyCall() throws Exception {
        try (RawPeer peer = RawPeer.answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")) {
            prices("penstock.flows.shop.to.http.url=" + peer.url("/")).run(context -> {
                PenstockFlows flows = context.getBean(PenstockFlows.class);
                RestClient client = context.getBean(RestClient.Builder.class).build();
                CountDownLatch draining = new CountDownLatch(1);
                CountDownLatch called = new CountDownLatch(1);
                FutureTask<@Nullable Object> call =
                        new FutureTask<>(() -> context.getBean(Prices.class).of(() -> {
                            called.countDown();
                            draining.await();
                            return client.get().uri(peer.url("/")).retrieve().body(String.class);
                        }));
                Thread.ofVirtual().name("caller").start(call);
                called.await();
                CountDownLatch stopped = new CountDownLatch(1);
                flows.stop(stopped::countDown);
                while (!flow(flows).isDraining()) {
                    Thread.onSpinWait();
                }
                draining.countDown();
                assertThat(call.get()).isEqualTo("ok");
                stopped.await();
                assertThat(flows.isRunning()).isFalse();
            });
        }
    }

    @Test
    void aFlowThatDoesNotExistStopsTheStart() {
        runner().withBean(Prices.class)
                .withPropertyValues(
                        "penstock.flows.payments.to.http.url=" + NOWHERE, "penstock.flows.price.deadline=5s")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(BadFlowsException.class)
                        .hasMessageContaining("@Flowed(\"prices\") of " + Prices.class.getName() + ".")
                        .hasMessageEndingWith("flows without: [price]"));
    }

    static class Closed {
        @Flowed("prices")
        public final void never() {}
    }

    @Test
    void aMethodThatCannotBeInterceptedStopsTheStart() {
        prices().withBean(Closed.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("a private, static or final method cannot be intercepted"));
    }

    @Test
    void keysAboutHeadersAreRefused() {
        prices("penstock.flows.prices.queue.priority=Priority", "penstock.flows.prices.pool.max=3")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("penstock.flows.prices.queue.priority (")
                        .hasMessageContaining("is for methods with @Flowed, which have no headers")
                        .hasMessageContaining("methods need no connections"));
    }

    static class Baskets {
        @Flowed("prices")
        public int one() {
            return 1;
        }

        public int two() {
            return one() + List.of(1).stream().mapToInt(_ -> one()).sum();
        }
    }

    static class Proxied extends Baskets {
        @Nullable
        Proxied own;

        @Override
        @Flowed("prices")
        public int one() {
            return 1;
        }

        @Override
        public int two() {
            return own == null ? 0 : own.one();
        }
    }

    @Test
    void callsWithinAClassAreSeen() throws Exception {
        Method one = Baskets.class.getMethod("one");
        assertThat(OwnCalls.of(Baskets.class, List.of(one, Baskets.class.getMethod("two"))))
                .containsExactly(one);
        assertThat(OwnCalls.of(Proxied.class, List.of(Proxied.class.getMethod("one"))))
                .isEmpty();
    }
}
