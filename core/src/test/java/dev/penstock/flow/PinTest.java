package dev.penstock.flow;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Setting.Pin;
import dev.penstock.Target;
import dev.penstock.kit.ManualTicker;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings that a person sets while the flow runs. */
@Timeout(120)
class PinTest {
    private final ManualTicker ticker = new ManualTicker();
    private final AtomicReference<Instant> wall = new AtomicReference<>(Instant.EPOCH);

    private FlowBuilder<Object> builder() {
        return Flow.named("payments").ticker(ticker).wallClock(wall::get);
    }

    private static Setting named(Flow<?, ?> flow, String name) {
        return flow.settings().stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private record Pool(int maxConcurrency) implements Target<String, String> {
        @Override
        public String call(String request) {
            return request;
        }

        @Override
        public String where() {
            return "pool";
        }

        @Override
        public List<Setting> settings() {
            return List.of();
        }

        @Override
        public Map<String, Long> connections() {
            return Map.of();
        }

        @Override
        public void close() {}
    }

    @Test
    void aLimitIsNeverAboveTheConnectionsOfItsTarget() {
        Flow<String, String> adaptive = builder().adaptiveConcurrency().to(new Pool(4));
        assertThat(named(adaptive, "limit"))
                .returns("4", Setting::value)
                .returns("1..4", Setting::range)
                .extracting(Setting::reason)
                .asString()
                .contains("at most the 4 connections of the target's pool");
        assertThatThrownBy(() -> adaptive.pin("limit", "5", "me")).isInstanceOf(IllegalArgumentException.class);
        Flow<String, String> bounded = builder().adaptiveConcurrency(10, 400).to(new Pool(4));
        assertThat(named(bounded, "limit")).returns("4", Setting::value).returns("4..4", Setting::range);
        Flow<String, String> fixed = builder().concurrency(100).to(new Pool(4));
        assertThat(named(fixed, "limit"))
                .returns("4", Setting::value)
                .extracting(Setting::reason)
                .asString()
                .contains("lowered from 100");
        Flow<String, String> within = builder().concurrency(3).to(new Pool(4));
        assertThat(named(within, "limit").value()).isEqualTo("3");
    }

    @Test
    void aPinSaysWhoWantedItSinceWhenAndThatItMayGo() {
        Flow<String, String> flow = builder().adaptiveConcurrency().to(request -> request);
        assertThat(named(flow, "limit").pin()).isEqualTo(Pin.OFF);
        wall.set(Instant.parse("2027-01-02T03:04:05.678Z"));

        Setting pinned = flow.pin("limit", " 100 ", "127.0.0.1");

        assertThat(pinned)
                .isEqualTo(new Setting(
                        "limit",
                        "100",
                        "1..50000",
                        "pinned by 127.0.0.1 at 2027-01-02T03:04:05Z",
                        wall.get(),
                        Origin.PINNED,
                        Pin.ON))
                .isEqualTo(named(flow, "limit"));
    }

    @Test
    void aLimitThatFindsItselfGoesOnFromWhereItWasPinned() {
        Flow<String, String> flow = builder().adaptiveConcurrency().to(request -> request);
        flow.pin("limit", "70", "somebody");
        flow.pin("limit", "80", "another");

        Setting free = flow.unpin("limit");

        assertThat(free.value()).isEqualTo("80");
        assertThat(free.origin()).isEqualTo(Origin.LEARNED);
        assertThat(free.pin()).isEqualTo(Pin.OFF);
        assertThat(free.reason()).isEqualTo("starting from the pinned 80, until throughput has been measured");
        assertThat(flow.unpin("limit")).isEqualTo(free);
    }

    @Test
    void whatWasGivenComesBack() {
        Flow<String, String> flow = builder()
                .concurrency(7)
                .rate(60)
                .queue(ofMillis(20))
                .queueLength(3)
                .to(request -> request);
        List<Setting> before = flow.settings();
        flow.pin("limit", "9", "somebody");
        flow.pin("rate", "0.5/s", "somebody");
        flow.pin("queue.time", "1.5s", "somebody");
        flow.pin("queue.length", "0", "somebody");
        assertThat(flow.settings()).extracting(Setting::value).containsExactly("9", "0.5/s", "1.5 s", "0");

        before.forEach(setting -> flow.unpin(setting.name()));

        assertThat(flow.settings()).extracting(Setting::value).containsExactly("7", "60/s", "20 ms", "3");
        assertThat(flow.settings()).extracting(Setting::origin).containsOnly(Origin.PINNED);
        assertThat(flow.settings()).extracting(Setting::pin).containsOnly(Pin.OFF);
    }

    @Test
    void whoWaitsGetsAPermitAsSoonAsThereAreMore() throws Exception {
        CountDownLatch there = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        Service<String, String> slow = request -> {
            there.countDown();
            go.await();
            return request;
        };
        Flow<String, String> flow =
                builder().concurrency(1).queue(ofSeconds(10)).to(slow);
        CompletableFuture<String> first = later(flow);
        CompletableFuture<String> second = later(flow);
        ticker.awaitParked(1);

        flow.pin("limit", "2", "somebody");

        there.await();
        go.countDown();
        assertThat(first.get()).isEqualTo("x");
        assertThat(second.get()).isEqualTo("x");
    }

    @Test
    void whoWaitsIsHeldToAShorterTime() throws Exception {
        CountDownLatch there = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Service<String, String> slow = request -> {
            there.countDown();
            go.await();
            return request;
        };
        Flow<String, String> flow =
                builder().concurrency(1).queue(ofSeconds(10)).to(slow);
        CompletableFuture<String> first = later(flow);
        there.await();
        CompletableFuture<String> second = later(flow);
        ticker.awaitParked(1);
        ticker.advance(ofMillis(60));

        flow.pin("queue.time", "50 ms", "somebody");

        assertThatThrownBy(second::get).hasCauseInstanceOf(Rejected.class);
        go.countDown();
        assertThat(first.get()).isEqualTo("x");
    }

    private static CompletableFuture<String> later(Flow<String, String> flow) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                answer.complete(flow.call("x"));
            } catch (Exception ending) {
                answer.completeExceptionally(ending);
            }
        });
        return answer;
    }

    @Test
    void aPinnedLimitStaysWhateverIsMeasured() throws Exception {
        Flow<String, String> flow = builder().adaptiveConcurrency().to(request -> {
            ticker.advance(ofMillis(5));
            return request;
        });
        flow.pin("limit", "1", "somebody");
        for (int i = 0; i < 5_000; i++) {
            flow.call("x");
        }
        assertThat(named(flow, "limit").value()).isEqualTo("1");
        // What waits may take is measured all the same.
        assertThat(named(flow, "queue.time").reason()).isEqualTo("with a deadline, until 6.5 ms are left");
    }

    @Test
    void aPinnedBoundOfTheQueueStaysWhatIsMeasuredToo() throws Exception {
        Flow<String, String> flow = builder().adaptiveConcurrency().to(request -> {
            ticker.advance(ofMillis(50));
            return request;
        });
        flow.pin("queue.time", "70ms", "somebody");
        for (int i = 0; i < 100; i++) {
            flow.call("x");
        }
        assertThat(named(flow, "queue.time").value()).isEqualTo("70 ms");
        assertThat(flow.unpin("queue.time").reason()).isEqualTo("with a deadline, until 65 ms are left");
    }

    @Test
    void batchesAreAsLargeAsPinned() throws Exception {
        AtomicInteger largest = new AtomicInteger();
        Collapse<String, String> collapse = Collapse.<String, String>intoEndings(requests -> {
                    largest.accumulateAndGet(requests.size(), Math::max);
                    return BatchEndings.answered(requests);
                })
                .max(50);
        Flow<String, String> flow = builder().to(collapse);
        assertThat(flow.pin("collapse.max", "1", "somebody").value()).isEqualTo("1");
        assertThat(flow.pin("collapse.budget", "3ms", "somebody").value()).isEqualTo("3 ms");
        assertThatThrownBy(() -> flow.pin("collapse.budget", "2m", "somebody"))
                .hasMessage("collapse.budget: give 0s..1m, such as 200ms, not 2m");
        flow.call("x");
        assertThat(largest).hasValue(1);
        Setting back = flow.unpin("collapse.max");
        assertThat(back.value()).isEqualTo("50");
        assertThat(back.origin()).isEqualTo(Origin.GIVEN);
        assertThat(flow.unpin("collapse.budget").reason()).doesNotStartWith("given");
    }

    @ParameterizedTest
    @CsvSource({
        "limit, 0, 'limit: give 1..50000, not 0'",
        "queue.time, 99999h, 'queue.time: give 0s..1h, such as 200ms, not 99999h'",
        "limit, 50001, 'limit: give 1..50000, not 50001'",
        "limit, abc, 'limit: give 1..50000, not abc'",
        "limit, '', 'limit: give 1..50000, not nothing'",
        "limit, \"\u0007\", 'limit: give 1..50000, not that'",
        "queue.time, -1s, 'queue.time: give 0s..1h, such as 200ms, not -1s'",
        "queue.length, 1000001, 'queue.length: give 0..1000000, not 1000001'",
        "deadline, 1s, 'deadline cannot be pinned at run time; set it in the flow file'",
        "rate, 5, 'rate: give 0.1/s..1000000/s, such as 500/s, not 5'",
        "rate, 0.05/s, 'rate: give 0.1/s..1000000/s, such as 500/s, not 0.05/s'",
        "limits, 5, 'no such setting: pin one of limit, rate, queue.time, queue.length'"
    })
    void whatCannotBeIsToldInALineAndChangesNothing(String name, String value, String line) {
        Flow<String, String> flow =
                builder().deadline(ofSeconds(5)).adaptiveConcurrency().to(request -> request);
        List<Setting> before = flow.settings();
        assertThatThrownBy(() -> flow.pin(name, value, "somebody"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(line);
        assertThat(flow.settings()).isEqualTo(before);
    }
}
