package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofNanos;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.kit.ManualTicker;
import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.RecordingController.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of flows that share the permits of one target. */
@Timeout(120)
class SharedLimitTest {
    private final ManualTicker ticker = new ManualTicker();
    private final RecordingController controller = new RecordingController(4);
    private final SharedLimit target = new SharedLimit(controller, 1, 4, null, true);
    private final Limit one = limit();
    private final Limit two = limit();

    private Limit limit() {
        return new Limit(target, QueueSettings.automatic(), ticker, () -> 0);
    }

    @Test
    void whatOneFlowHasOutTheOtherCannotHave() throws Exception {
        List<Permit> out = take(one, 3);
        take(two, 1);
        Future<Permit> waits = inBackground(() -> Permit.of(two));
        ticker.awaitParked(1);
        assertThat(one.queue.out()).isEqualTo(3);
        assertThat(two.queue.out()).isEqualTo(1);
        assertThat(two.report().note()).endsWith("; other flows to the target use 3");
        assertThat(two.queue.waiting()).isEqualTo(1);
        out.getFirst().success();
        waits.get();
        assertThat(two.queue.out()).isEqualTo(2);
    }

    @Test
    void theFlowWithFewerPermitsIsNext() throws Exception {
        List<Permit> out = take(one, 3);
        take(two, 1);
        Future<Permit> first = inBackground(() -> Permit.of(one));
        ticker.awaitParked(1);
        Future<Permit> second = inBackground(() -> Permit.of(two));
        ticker.awaitParked(2);
        out.getFirst().success();
        second.get();
        assertThat(first.isDone()).isFalse();
        assertThat(one.queue.out()).isEqualTo(2);
        assertThat(two.queue.out()).isEqualTo(2);
        out.get(1).success();
        first.get();
    }

    @Test
    void theShareIsAllWhileTheOtherIsIdleAndHalfWhileItWaits() throws Exception {
        assertThat(one.share()).isEqualTo(4);
        take(two, 1);
        assertThat(one.share()).isEqualTo(3);
        assertThat(one.headroom()).isEqualTo(3);
        List<Permit> more = take(two, 3);
        inBackground(() -> Permit.of(two));
        ticker.awaitParked(1);
        assertThat(one.share()).isEqualTo(2);
        assertThat(one.headroom()).isEqualTo(2);
        assertThat(two.share()).isEqualTo(4);
        more.getFirst().success();
    }

    @Test
    void theControllerIsToldOfBothTogether() throws Exception {
        Permit ofOne = Permit.of(one);
        Permit ofTwo = Permit.of(two);
        Permit.of(two);
        ticker.advance(ofMillis(30));
        ofOne.success();
        ofTwo.failed();
        Permit last = Permit.of(one);
        ticker.advance(ofMillis(30));
        last.success();
        assertThat(controller.turn.started()).isEqualTo(4);
        assertThat(controller.turn.answered()).isEqualTo(2);
        assertThat(controller.updates).containsExactly(new Update(30_000_000, 2), new Update(60_000_000, 1));
    }

    @Test
    void aTargetIsCutOffWhenAllItsFlowsAre() {
        one.cutOff();
        assertThat(target.reason()).isEqualTo("shared by 2 flows: given");
        two.cutOff();
        assertThat(target.reason()).isEqualTo("shared by 2 flows: unchanged while the breaker is open");
        two.resumed(7);
        one.resumed(9);
        one.cutOff();
        assertThat(controller.restarts).containsExactly("2 at 7: half of the limit before the breaker opened");
    }

    @Test
    void callsOfAFlowThatIsCutOffCountForNothing() throws Exception {
        Permit before = Permit.of(one);
        one.cutOff();
        Permit trial = Permit.of(one);
        Permit other = Permit.of(two);
        ticker.advance(ofMillis(30));
        before.dropped();
        trial.success();
        assertThat(controller.turn.started()).isEqualTo(2);
        assertThat(controller.turn.timed()).isZero();
        other.success();
        one.resumed(30_000_000);
        Permit.of(one).success();
        assertThat(controller.turn.answered()).isEqualTo(2);
        assertThat(controller.turn.hasEnded(1)).isTrue();
    }

    @Test
    void whileAllFlowsAreCutOffTheControllerIsNotAsked() throws Exception {
        Permit before = Permit.of(one);
        one.cutOff();
        two.cutOff();
        before.failed();
        Permit.of(one).success();
        assertThat(controller.updates).isEmpty();
        assertThat(controller.turn.started()).isEqualTo(1);
    }

    /** Readings of a ticker may be negative, and may overflow. */
    @ParameterizedTest
    @ValueSource(longs = {-5_000_000_000L, Long.MIN_VALUE, Long.MAX_VALUE - 500_000})
    void theControllerDecidesAtMostOnceInAMillisecond(long origin) throws Exception {
        ManualTicker other = new ManualTicker(origin);
        Limit limit = Limits.of(controller, other);
        for (int call = 0; call < 20; call++) {
            Permit.of(limit).success();
            other.advance(ofNanos(250_000));
        }
        assertThat(controller.updates)
                .extracting(update -> update.now() - origin)
                .containsExactly(0L, 1_000_000L, 2_000_000L, 3_000_000L, 4_000_000L);
    }

    @Test
    void aCallThatEndsWhileTheControllerDecidesDoesNotWait() throws Exception {
        CompletableFuture<Permit> another = new CompletableFuture<>();
        List<Integer> decisions = new ArrayList<>();
        Limit limit = Limits.of(
                new RecordingController(4) {
                    @Override
                    public void update(long now, int inFlight) {
                        decisions.add(inFlight);
                        CompletableFuture.runAsync(() -> another.join().success())
                                .join();
                    }
                },
                ticker);
        Permit permit = Permit.of(limit);
        another.complete(Permit.of(limit));
        permit.success();
        assertThat(decisions).containsExactly(1);
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void permitsThatComeByAPinServeAllQueues() throws Exception {
        SharedLimit adaptive = SharedLimit.adaptive(1, 10, Duration.ZERO, null, true);
        Limit first = new Limit(adaptive, QueueSettings.automatic(), ticker, () -> 0);
        Limit second = new Limit(adaptive, QueueSettings.automatic(), ticker, () -> 0);
        adaptive.pin(1, 0);
        Permit.of(first);
        Future<Permit> waits = inBackground(() -> Permit.of(second));
        ticker.awaitParked(1);
        adaptive.pin(2, 0);
        waits.get();
        assertThat(adaptive.permits()).isEqualTo(2);
        assertThat(adaptive.limitingFactor()).isEqualTo(LimitingFactor.PINNED);
        assertThat(adaptive.reason()).startsWith("shared by 2 flows: ");
    }

    @Test
    void whileItIsPinnedTheControllerIsNotAskedAndThenStartsFromThere() throws Exception {
        target.pin(3, 0);
        Permit permit = Permit.of(one);
        ticker.advance(ofMillis(30));
        permit.success();
        assertThat(controller.updates).isEmpty();
        assertThat(controller.turn.started()).isZero();
        assertThat(target.permits()).isEqualTo(3);
        assertThatThrownBy(() -> target.pin(5, 0)).isInstanceOf(IllegalArgumentException.class);
        one.cutOff();
        two.cutOff();
        one.resumed(5);
        two.resumed(5);
        target.unpin(7);
        target.unpin(8);
        assertThat(controller.restarts)
                .containsExactly("3 at 7: starting from the pinned 3, until throughput has been measured");
        assertThat(target.permits()).isEqualTo(4);
    }

    @Test
    void startsFromWhatAnEarlierProcessLearned() {
        SharedLimit restored =
                SharedLimit.adaptive(1, 10_000, Duration.ZERO, new LearnedLimit("37", value -> {}), true);
        assertThat(restored.isRestored()).isTrue();
        assertThat(restored.permits()).isEqualTo(37);
        assertThat(SharedLimit.adaptive(1, 10, Duration.ZERO, null, true).isRestored())
                .isFalse();
    }

    private static List<Permit> take(Limit limit, int count) throws Exception {
        List<Permit> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(Permit.of(limit));
        }
        return taken;
    }
}
