package dev.penstock.spring;

import static dev.penstock.spring.PenstockContext.runner;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.Unknown;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tools.jackson.databind.json.JsonMapper;

/** Calls of methods with a key run once. */
class KeyedMethodTest {
    record Order(@Nullable String id, int amount) {}

    record Receipt(String order, List<Integer> parts) {}

    static class Payments {
        int calls;

        @Flowed(value = "payments", key = "#order.id")
        public Receipt pay(Order order) {
            calls++;
            if (order.amount() < 0) {
                throw new IllegalStateException("negative");
            }
            return new Receipt(order.id() + "", List.of(order.amount(), calls));
        }

        @Flowed(value = "payments", key = "#a0")
        public void refund(String id) {
            calls++;
        }

        @Flowed("payments")
        public int balance() {
            return ++calls;
        }
    }

    private final String store = "penstock.store.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    private ApplicationContextRunner payments(String... properties) {
        return runner().withBean(Payments.class)
                .withPropertyValues(store, "penstock.flows.payments.dedupe.key=Order-Id")
                .withPropertyValues(properties);
    }

    @Test
    void aKeyIsProcessedOnceAlsoAfterARestart() {
        payments().run(context -> {
            Payments payments = context.getBean(Payments.class);
            Receipt first = payments.pay(new Order("a", 7));
            assertThat(payments.pay(new Order("a", 8))).isEqualTo(first);
            assertThat(payments.pay(new Order("b", 8)).parts()).containsExactly(8, 2);
            payments.refund("a"); // another method with the same key
            payments.refund("a");
            assertThat(payments.balance()).isEqualTo(4);
            assertThat(payments.balance()).isEqualTo(5);
        });
        payments().run(context -> {
            assertThat(context.getBean(Payments.class).pay(new Order("a", 9)))
                    .isEqualTo(new Receipt("a", List.of(7, 1)));
            context.getBean(Payments.class).refund("a");
            assertThat(context.getBean(Payments.class).balance()).isEqualTo(1);
        });
    }

    @Test
    void aCallWithAnUnknownOutcomeIsRepeatedOnlyIfTheMethodKnowsTheKey() {
        Order negative = new Order("a", -1);
        payments().run(context -> {
            Payments payments = context.getBean(Payments.class);
            assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> payments.pay(negative));
            assertThatExceptionOfType(UnansweredMethodException.class)
                    .isThrownBy(() -> payments.pay(negative))
                    .satisfies(thrown -> assertThat(thrown.ending()).isInstanceOf(Unknown.class));
            assertThat(payments.balance()).isEqualTo(2);
        });
        payments("penstock.flows.payments.retry.key=Order-Id", "penstock.flows.payments.retry.attempts=2")
                .run(context -> {
                    Payments payments = context.getBean(Payments.class);
                    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> payments.pay(negative));
                    assertThat(payments.balance()).isEqualTo(3);
                });
    }

    @Test
    void aCallWithoutItsKeyIsRefused() {
        payments()
                .run(context -> assertThatExceptionOfType(IllegalArgumentException.class)
                        .isThrownBy(() -> context.getBean(Payments.class).pay(new Order(null, 7)))
                        .withMessageContaining("the key #order.id is null"));
    }

    static class Wrong {
        @Flowed(value = "payments", key = "#order.")
        public void pay(Order order) {}
    }

    @Test
    void wrongKeysStopTheStart() {
        payments()
                .withBean(Wrong.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("Wrong.pay: the key #order. is not an expression"));
        runner().withBean(Payments.class)
                .withPropertyValues("penstock.flows.payments.deadline=5s")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("its key has no effect: add penstock.flows.payments.dedupe.key"));
        runner().withPropertyValues(store, "penstock.flows.payments.dedupe.key=Order-Id")
                .withClassLoader(new FilteredClassLoader(JsonMapper.class))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("add tools.jackson.core:jackson-databind"));
    }
}
