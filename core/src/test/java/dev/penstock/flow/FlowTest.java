package dev.penstock.flow;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Accounting;
import dev.penstock.BreakerSettings;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.StageReport;
import dev.penstock.Unknown;
import dev.penstock.kit.FaultScript;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowTest {
    private final ManualTicker ticker = new ManualTicker();

    @Test
    void stagesStandInTheOneOrderWhateverTheOrderOfCalls() {
        Service<String, String> echo = request -> request;
        Flow<String, String> flow = Flow.named("payments")
                .concurrency(100)
                .retry(Retry.whenNotSent())
                .breaker()
                .deadline(ofSeconds(5))
                .to(echo);
        assertThat(flow)
                .hasToString(
                        "payments: meter > deadline (deadline 5 s given) > retry (retry.attempts 3 default)"
                                + " > breaker (breaker.failures 90 % default)"
                                + " > limit (limit 100 pinned, rate none default, queue.time 1 s default, queue.length 1024 default) > target");
    }

    @Test
    void namesItsStagesFromTheOutermostOn() {
        assertThat(Flow.named("payments")
                        .concurrency(100)
                        .retry(Retry.whenNotSent())
                        .to(request -> request)
                        .stageNames())
                .containsExactly("meter", "retry", "limit");
        assertThat(Flow.named("payments").to(request -> request).stageNames()).containsExactly("meter");
    }

    @Test
    void aDefaultIsOneThatNobodyGave() {
        Service<String, String> echo = request -> request;
        assertThat(Flow.named("a").retry(Retry.whenNotSent()).to(echo).settings())
                .extracting(Setting::value, Setting::origin)
                .containsExactly(tuple("3", Origin.DEFAULT));
        assertThat(Flow.named("a")
                        .retry(Retry.whenNotSent().attempts(3))
                        .to(echo)
                        .settings())
                .extracting(Setting::value, Setting::origin)
                .containsExactly(tuple("3", Origin.GIVEN));
        assertThat(Flow.named("a")
                        .defaultDeadline(ofSeconds(30), "nobody waits longer")
                        .to(echo)
                        .settings())
                .extracting(Setting::name, Setting::value, Setting::origin, Setting::reason)
                .containsExactly(tuple("deadline", "30 s", Origin.DEFAULT, "nobody waits longer"));
        assertThat(Flow.named("a")
                        .defaultDeadline(ofSeconds(30), "nobody waits longer")
                        .deadline(ofSeconds(30))
                        .to(echo)
                        .settings())
                .extracting(Setting::origin, Setting::reason)
                .containsExactly(tuple(Origin.GIVEN, "given"));
    }

    @Test
    void everySettingHasItsReasonAndWhereItCameFrom() {
        Flow<String, String> flow =
                Flow.named("payments").adaptiveConcurrency().queue(ofMillis(20)).to(request -> request);
        assertThat(flow.settings())
                .extracting(Setting::name, Setting::value, Setting::origin, Setting::pinned)
                .containsExactly(
                        tuple("limit", "200", Origin.DEFAULT, false),
                        tuple("rate", "none", Origin.DEFAULT, false),
                        tuple("queue.time", "20 ms", Origin.PINNED, true),
                        tuple("queue.length", "1024", Origin.DEFAULT, false));
        assertThat(flow.settings())
                .allSatisfy(setting -> assertThat(setting.reason()).isNotBlank());
    }

    @Test
    void theLimitTellsWhatItFoundSinceWhenAndWhy() throws Exception {
        AtomicReference<Instant> wall = new AtomicReference<>(Instant.EPOCH);
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .wallClock(wall::get)
                .deadline(ofSeconds(1))
                .adaptiveConcurrency()
                .to(request -> {
                    ticker.advance(ofMillis(900));
                    return "nearly late";
                });
        wall.set(Instant.EPOCH.plusSeconds(60));
        Setting before = limit(flow);
        assertThat(before).extracting(Setting::value, Setting::origin).containsExactly("200", Origin.DEFAULT);
        assertThat(before.range()).isEqualTo("1..50000");
        assertThat(before.since()).isEqualTo(Instant.EPOCH);
        for (int call = 0; call < 200; call++) {
            flow.call("q");
        }
        Setting after = limit(flow);
        assertThat(Integer.parseInt(after.value())).isLessThan(200);
        assertThat(after.origin()).isEqualTo(Origin.LEARNED);
        assertThat(after.since()).isEqualTo(Instant.EPOCH.plusSeconds(60));
        assertThat(after.reason()).isNotEqualTo(before.reason());
        wall.set(Instant.EPOCH.plusSeconds(90));
        assertThat(limit(flow)).as("nothing has changed").isEqualTo(after);
    }

    @Test
    void theBreakerTellsTheLimitThatTheTargetWasCutOffAndIsBack() throws Exception {
        ScriptedService<String, String> target =
                ScriptedService.<String, String>on(ticker).fails(new Failed(Failed.Cause.CONNECT, "refused"));
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .breaker(new BreakerSettings(2, 0.5, 2, ofSeconds(5), 1))
                .adaptiveConcurrency()
                .to(target);
        assertThatThrownBy(() -> flow.call("q")).isInstanceOf(Failed.class);
        ticker.advance(ofSeconds(1));
        assertThatThrownBy(() -> flow.call("q")).isInstanceOf(Failed.class);
        assertThat(limit(flow).reason()).isEqualTo("unchanged while the breaker is open");
        ticker.advance(ofSeconds(5));
        target.anew().answers("yes");
        flow.call("q");
        assertThat(limit(flow))
                .extracting(Setting::value, Setting::reason)
                .containsExactly("100", "half of the limit before the breaker opened");
    }

    @Test
    void theLimitStaysWithinItsBoundsAndTheLastWordCounts() {
        Flow<String, String> low = Flow.named("low").adaptiveConcurrency(10, 40).to(request -> request);
        assertThat(limit(low))
                .extracting(Setting::value, Setting::range, Setting::origin)
                .containsExactly("40", "10..40", Origin.DEFAULT);
        Flow<String, String> pinned = Flow.named("pinned")
                .adaptiveConcurrency(10, 40)
                .concurrency(7)
                .queueLength(3)
                .to(request -> request);
        assertThat(pinned)
                .hasToString(
                        "pinned: meter > limit (limit 7 pinned, rate none default, queue.time 1 s default, queue.length 3 pinned)"
                                + " > target");
        assertThat(Flow.named("again")
                        .concurrency(7)
                        .adaptiveConcurrency()
                        .to(request -> request)
                        .headroom())
                .isEqualTo(200);
    }

    @Test
    void everyEndingIsCountedAsWhatTheCallerSaw() {
        ScriptedService<String, String> target = ScriptedService.<String, String>on(ticker)
                .answers("yes")
                .fails(new Rejected(Rejected.Cause.POOL, "none free"))
                .fails(new Failed(Failed.Cause.REFUSED, "no"))
                .fails(new Unknown(Unknown.Cause.CLOSED, "lost"))
                .fails(new IllegalStateException("a bug"));
        Flow<String, String> flow = Flow.named("payments").ticker(ticker).to(target);
        for (int call = 0; call < 5; call++) {
            try {
                flow.call("q");
            } catch (Exception counted) {
                assertThat(counted).isInstanceOf(dev.penstock.Unanswered.class);
            }
        }
        assertThat(flow.accounting().sentence())
                .isEqualTo("offered 5 = answered 1 + rejected 1 + failed 1 + unknown 2 + in flight 0,"
                        + " rejected by pool 1, failed by refused 1, unknown by closed 1, unknown by error 1");
    }

    @Test
    void whatTheTargetThrowsByMistakeEndsAsUnknownWithTheMistakeBehindIt() {
        Flow<String, String> flow = Flow.named("payments").to(request -> {
            throw new IllegalStateException("a bug");
        });
        assertThatThrownBy(() -> flow.call("q"))
                .isInstanceOf(Unknown.class)
                .hasMessageContaining("a bug")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void anErrorIsPassedOnAndStillCounted() {
        Flow<String, String> flow = Flow.named("payments")
                .concurrency(1)
                .breaker()
                .to(request -> {
                    throw new StackOverflowError();
                });
        assertThatThrownBy(() -> flow.call("q")).isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> flow.call("q")).isInstanceOf(StackOverflowError.class);
        assertThat(flow.accounting().unknown()).isEqualTo(2);
        assertThat(flow.accounting().isSettled()).isTrue();
    }

    @Test
    void theTimeLeftTravelsToTheTarget() throws Exception {
        Flow<String, Duration> inner = Flow.named("inner")
                .ticker(ticker)
                .deadline(ofSeconds(60))
                .to(request -> Objects.requireNonNull(Deadline.current()).left());
        Flow<String, Duration> outer = Flow.named("outer")
                .ticker(ticker)
                .deadline(ofSeconds(5))
                .to(request -> {
                    ticker.advance(ofSeconds(2));
                    return inner.call(request);
                });
        assertThat(outer.call("q")).isEqualTo(ofSeconds(3));
    }

    @Test
    void whatHasNoTimeLeftIsRejectedAtOnce() throws Exception {
        ScriptedService<String, String> target =
                ScriptedService.<String, String>on(ticker).answers("yes");
        Flow<String, String> flow = Flow.named("payments").ticker(ticker).to(target);
        Deadline.in(Duration.ZERO, ticker)
                .call(() -> assertThatThrownBy(() -> flow.call("q"))
                        .isInstanceOfSatisfying(
                                Rejected.class, it -> assertThat(it.why()).isEqualTo(Rejected.Cause.DEADLINE)));
        assertThat(target.received()).isEmpty();
    }

    @Test
    void anAttemptIsTimedWithoutOurOwnWait() throws Exception {
        ScriptedService<String, String> target =
                ScriptedService.<String, String>on(ticker).answersAfter(ofMillis(100), "yes");
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .concurrency(1)
                .queue(ofSeconds(1))
                .to(target);
        FutureTask<String> first = start(flow);
        ticker.awaitParked(1);
        FutureTask<String> second = start(flow);
        ticker.awaitParked(2);
        ticker.advance(ofMillis(100));
        first.get();
        while (target.received().size() < 2) {
            Thread.onSpinWait();
        }
        ticker.awaitParked(1);
        ticker.advance(ofMillis(100));
        second.get();
        assertThat(millis(flow.stages().get(2).times().getMaxValue())).isEqualTo(100);
        assertThat(millis(flow.stages().get(1).times().getMaxValue())).isEqualTo(100);
        assertThat(millis(flow.stages().get(0).times().getMaxValue())).isEqualTo(200);
    }

    @Test
    void everyStageTellsItsRateOfTheLastTenSeconds() throws Exception {
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .retry(Retry.whenNotSent())
                .adaptiveConcurrency()
                .to(request -> request);
        for (int call = 0; call < 200; call++) {
            flow.call("q");
            ticker.advance(ofMillis(50));
        }
        assertThat(flow.stages())
                .extracting(StageReport::stage, stage -> Math.round(stage.perSecond()))
                .containsExactly(tuple("flow", 20L), tuple("retry", 0L), tuple("queue", 0L), tuple("target", 20L));
        ticker.advance(ofSeconds(20));
        assertThat(flow.stages().getFirst().perSecond()).isZero();
        assertThat(flow.stages().getFirst().started()).isEqualTo(200);
    }

    @Test
    void aDrainLetsNothingInAndWaitsForWhatIsInFlight() throws Exception {
        ScriptedService<String, String> target =
                ScriptedService.<String, String>on(ticker).answersAfter(ofMillis(100), "yes");
        Flow<String, String> flow = Flow.named("payments").ticker(ticker).to(target);
        FutureTask<String> inFlight = start(flow);
        ticker.awaitParked(1);
        FutureTask<Accounting> drain = new FutureTask<>(() -> flow.drain(ofSeconds(30)));
        Thread.ofVirtual().start(drain);
        ticker.awaitParked(2);
        assertThatThrownBy(() -> flow.call("late"))
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(Rejected.Cause.DRAINING));
        ticker.advance(ofMillis(100));
        assertThat(inFlight.get()).isEqualTo("yes");
        while (!drain.isDone()) {
            ticker.advance(ofMillis(10));
        }
        assertThat(drain.get().isSettled()).isTrue();
        assertThat(drain.get().offered()).isEqualTo(2);
    }

    @Test
    void aDrainThatRunsOutOfTimeSaysWhatIsLeft() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        CountDownLatch sent = new CountDownLatch(1);
        Flow<String, String> flow = Flow.named("payments").ticker(ticker).to(request -> {
            sent.countDown();
            return never.get();
        });
        FutureTask<String> stuck = start(flow);
        sent.await();
        Accounting left = flow.drain(Duration.ZERO);
        assertThat(left.inFlight()).isEqualTo(1);
        assertThat(left.isBalanced()).isTrue();
        assertThat(left.isSettled()).isFalse();
        never.complete("yes");
        stuck.get();
    }

    @Test
    void aFaultyHourPassesInNoTimeAndTheLawHolds() {
        FaultScript<String, String> faults = FaultScript.<String, String>on(ticker)
                .between(ofSeconds(600), ofSeconds(660), () -> new Failed(Failed.Cause.CONNECT, "refused"))
                .between(ofSeconds(1_200), ofSeconds(1_230), () -> new Unknown(Unknown.Cause.CLOSED, "lost"));
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .retry(Retry.whenNotSent().backoff(Duration.ZERO, Duration.ZERO))
                .breaker()
                .concurrency(10)
                .to(faults.around(request -> request));
        for (int second = 0; second < 3_600; second++) {
            try {
                flow.call("q");
            } catch (Exception counted) {
                assertThat(counted).isInstanceOf(dev.penstock.Unanswered.class);
            }
            ticker.advance(ofSeconds(1));
            assertThat(flow.accounting().isSettled()).isTrue();
        }
        Accounting hour = flow.accounting();
        assertThat(hour.offered()).isEqualTo(3_600);
        assertThat(hour.answered()).isBetween(3_600L - 150, 3_600L - 90);
        assertThat(hour.causes().get("rejected")).containsKey("breaker");
        assertThat(hour.causes().get("unknown")).containsOnlyKeys("closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1st", "two words", "ä", "-x", "a/b"})
    void namesThatWouldSpoilMetricsAreRefused(String name) {
        assertThatThrownBy(() -> Flow.named(name)).hasMessageContaining("a flow's name is");
    }

    @Test
    void valuesOutOfRangeAreRefusedWhereTheyAreGiven() {
        FlowBuilder<Object> builder = Flow.named("payments");
        assertThatThrownBy(() -> builder.deadline(Duration.ZERO)).hasMessageContaining("above 0, not 0 ns");
        assertThatThrownBy(() -> builder.concurrency(0)).hasMessageContaining("a limit must be 1 to 1000000, not 0");
        assertThatThrownBy(() -> builder.adaptiveConcurrency(10, 4))
                .hasMessage("the bounds of a limit are 1 <= min <= max <= 1000000, not min 10 and max 4");
        assertThatThrownBy(() -> builder.adaptiveConcurrency(0, 4)).hasMessageContaining("not min 0 and max 4");
        assertThatThrownBy(() -> builder.adaptiveConcurrency(1, 1_000_001))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder.queueLength(-1)).hasMessageContaining("0 to 1000000, not -1");
        assertThatThrownBy(() -> builder.queue(ofMillis(-1))).hasMessageContaining("0 or more, not -1 ms");
        assertThatThrownBy(() -> builder.queue(ofMillis(1)).queueLength(-1))
                .hasMessageContaining("0 to 1000000, not -1");
    }

    private static Setting limit(Flow<?, ?> flow) {
        return flow.settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .findFirst()
                .orElseThrow();
    }

    private static long millis(long nanos) {
        return Math.round(nanos / 1e6);
    }

    private static FutureTask<String> start(Flow<String, String> flow) {
        FutureTask<String> task = new FutureTask<>(() -> flow.call("q"));
        Thread.ofVirtual().start(task);
        return task;
    }
}
