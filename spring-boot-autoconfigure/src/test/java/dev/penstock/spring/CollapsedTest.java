package dev.penstock.spring;

import static dev.penstock.spring.PenstockContext.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Concurrent calls of methods with {@link Collapsed} become batches. */
class CollapsedTest {
    static class Prices {
        final Queue<List<Integer>> batches = new ConcurrentLinkedQueue<>();
        final CountDownLatch open = new CountDownLatch(1);

        @Flowed("prices")
        @Collapsed(into = "pricesOf")
        public @Nullable Integer priceOf(Integer article) {
            throw new AssertionError("never runs");
        }

        public List<@Nullable Integer> pricesOf(List<Integer> articles) throws InterruptedException {
            batches.add(articles);
            if (articles.contains(0)) {
                open.await(); // meanwhile others gather
            }
            if (articles.contains(13)) {
                throw new IllegalStateException("13");
            }
            List<@Nullable Integer> prices = new ArrayList<>();
            articles.forEach(article -> prices.add(article == 7 ? null : article * 3));
            return articles.contains(99) ? List.of() : prices;
        }

        @Flowed("prices")
        public int alone(int article) {
            return article;
        }
    }

    private static ApplicationContextRunner prices(String... properties) {
        return runner().withBean(Prices.class)
                .withPropertyValues("penstock.flows.prices.collapse=auto", "penstock.flows.prices.limit=1")
                .withPropertyValues(properties);
    }

    private static FutureTask<@Nullable Integer> call(Prices prices, int article) {
        FutureTask<@Nullable Integer> call = new FutureTask<>(() -> prices.priceOf(article));
        Thread.ofVirtual().name("caller-" + article).start(call);
        return call;
    }

    @Test
    void concurrentCallsBecomeOne() {
        prices().run(context -> {
            Prices prices = context.getBean(Prices.class);
            FutureTask<?> first = call(prices, 0);
            Prices real = real(prices);
            while (real.batches.isEmpty()) {
                Thread.onSpinWait();
            }
            List<FutureTask<@Nullable Integer>> others = new ArrayList<>();
            for (int article = 1; article <= 7; article++) {
                others.add(call(prices, article));
            }
            var flow = context.getBean(PenstockFlows.class).methods("prices");
            while (flow.accounting().inFlight() < 8) {
                Thread.onSpinWait();
            }
            real.open.countDown();
            assertThat(first.get()).isEqualTo(0);
            for (int article = 1; article < 7; article++) {
                assertThat(others.get(article - 1).get()).isEqualTo(article * 3);
            }
            assertThat(others.get(6).get()).isNull();
            assertThat(real.batches).hasSizeLessThan(8);
            assertThat(real.batches.stream().mapToInt(List::size).sum()).isEqualTo(8);
            assertThat(prices.alone(5)).isEqualTo(5);
            assertThat(flow.accounting().answered()).isEqualTo(9);
        });
    }

    private static Prices real(Prices proxy) throws Exception {
        return (Prices)
                Objects.requireNonNull(((Advised) proxy).getTargetSource().getTarget());
    }

    @Test
    void whatABatchThrowsReachesItsCallers() {
        prices("penstock.flows.prices.idempotent=true").run(context -> {
            Prices prices = context.getBean(Prices.class);
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> prices.priceOf(13))
                    .withMessage("13");
            assertThatExceptionOfType(UnansweredMethodException.class)
                    .isThrownBy(() -> prices.priceOf(99))
                    .satisfies(thrown -> assertThat(thrown.ending().why()).isEqualTo(Unknown.Cause.GARBLED));
        });
    }

    static class Alone {
        @Collapsed(into = "pricesOf")
        public void priceOf(int article) {}
    }

    static class Missing {
        @Flowed("prices")
        @Collapsed(into = "pricesOf")
        public int priceOf(int article) {
            return article;
        }

        public int pricesOf(List<Integer> articles) {
            return articles.size();
        }
    }

    @Test
    void whatIsWrongStopsTheStart() {
        prices().withBean(Alone.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("Alone.priceOf: it has no @Flowed"));
        prices().withBean(Missing.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("a method List pricesOf(List)"));
        runner().withBean(Prices.class)
                .withPropertyValues("penstock.flows.prices.limit=1")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("add penstock.flows.prices.collapse, for instance auto"));
    }
}
