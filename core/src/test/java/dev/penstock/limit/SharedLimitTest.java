package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.kit.ManualTicker;
import dev.penstock.limit.LimitController.LimitingFactor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits of flows that share the permits of one target. */
@Timeout(120)
class SharedLimitTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Told controller = new Told();
    private final SharedLimit target = new SharedLimit(controller, 1, 4, null, true);
    private final Limit one = limit();
    private final Limit two = limit();

    private Limit limit() {
        return new Limit(target, QueueSettings.automatic(), null, ticker, () -> 0);
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
        assertThat(controller.samples)
                .extracting(
                        LoadSample::from,
                        LoadSample::to,
                        LoadSample::answered,
                        LoadSample::failed,
                        LoadSample::inFlight)
                .containsExactly(tuple(0L, 30_000_000L, 1L, 0L, 2), tuple(30_000_000L, 60_000_000L, 1L, 1L, 1));
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
        assertThat(controller.heard).containsExactly("2 at 7: half of the limit before the breaker opened");
    }

    @Test
    void whatAFlowMeasuresWhileItIsCutOffCountsForNothing() throws Exception {
        Permit trial = Permit.of(one);
        one.cutOff();
        ticker.advance(ofMillis(30));
        trial.success();
        assertThat(controller.samples).isEmpty();
        one.resumed(30_000_000);
        Permit next = Permit.of(one);
        ticker.advance(ofMillis(30));
        next.success();
        assertThat(controller.samples).hasSize(1);
    }

    @Test
    void permitsThatComeByAPinServeAllQueues() throws Exception {
        SharedLimit adaptive = SharedLimit.adaptive(1, 10, Duration.ZERO, null, true);
        Limit first = new Limit(adaptive, QueueSettings.automatic(), null, ticker, () -> 0);
        Limit second = new Limit(adaptive, QueueSettings.automatic(), null, ticker, () -> 0);
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
        assertThat(controller.samples).isEmpty();
        assertThat(target.permits()).isEqualTo(3);
        assertThatThrownBy(() -> target.pin(5, 0)).isInstanceOf(IllegalArgumentException.class);
        one.cutOff();
        two.cutOff();
        one.resumed(5);
        two.resumed(5);
        target.unpin(7);
        target.unpin(8);
        assertThat(controller.heard)
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

    private static final class Told implements LimitController {
        private final List<LoadSample> samples = new ArrayList<>();
        private final List<String> heard = new ArrayList<>();

        @Override
        public int permits() {
            return 4;
        }

        @Override
        public String reason() {
            return "given";
        }

        @Override
        public void sample(LoadSample sample) {
            samples.add(sample);
        }

        @Override
        public void restart(int permits, long at, String why) {
            heard.add("%d at %d: %s".formatted(permits, at, why));
        }
    }
}
