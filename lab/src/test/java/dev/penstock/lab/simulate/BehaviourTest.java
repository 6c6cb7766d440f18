package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BehaviourTest {
    private static final long SECOND = 1_000_000_000;
    private static final FaultSchedule TENTH = new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1));
    private final ManualTicker ticker = new ManualTicker(0);

    @Test
    void cutsEveryRequestReadWithinAWindowAndNoOther() {
        Behaviour behaviour = behaviour(HttpSimulator.builder().close(Closing.CUT, TENTH));

        assertThat(behaviour.draw(ticker.nanos()).cut()).isFalse();
        ticker.advance(Duration.ofNanos(10 * SECOND));
        assertThat(behaviour.draw(ticker.nanos()).cut()).isTrue();
        ticker.advance(Duration.ofNanos(SECOND));
        assertThat(behaviour.draw(ticker.nanos()).cut()).isFalse();
    }

    @Test
    void cutsAShareOfThemUpToALimit() {
        Behaviour share =
                behaviour(HttpSimulator.builder().close(Closing.CUT, TENTH).cutOnly(0.25, Long.MAX_VALUE));
        Behaviour limit =
                behaviour(HttpSimulator.builder().close(Closing.CUT, TENTH).cutOnly(1, 600));

        assertThat(cutOf(share, 10_000)).isBetween(2_300L, 2_700L);
        assertThat(cutOf(limit, 10_000)).isEqualTo(600);
    }

    @Test
    void closesByHeaderOnlyWithinAWindow() {
        Behaviour behaviour = behaviour(HttpSimulator.builder().close(Closing.HEADER, TENTH));

        assertThat(behaviour.closesAfterAnswer(9 * SECOND)).isFalse();
        assertThat(behaviour.closesAfterAnswer(10 * SECOND)).isTrue();
        assertThat(behaviour.idleClosing(10 * SECOND)).isNull();
    }

    @Test
    void closesIdleConnectionsByFinAndByReset() {
        assertThat(behaviour(HttpSimulator.builder().close(Closing.FIN, TENTH)).idleClosing(30 * SECOND))
                .isEqualTo(Closing.FIN);
        assertThat(behaviour(HttpSimulator.builder().close(Closing.RST, TENTH)).idleClosing(30 * SECOND))
                .isEqualTo(Closing.RST);
        assertThat(behaviour(HttpSimulator.builder().close(Closing.CUT, TENTH)).idleClosing(30 * SECOND))
                .isNull();
    }

    @Test
    void eachWindowHasOneWayOfClosingAndTheWaysTakeTurns() {
        Behaviour behaviour = behaviour(HttpSimulator.builder().close(TENTH, Closing.values()));

        assertThat(behaviour.closesAfterAnswer(10 * SECOND)).isTrue();
        assertThat(behaviour.idleClosing(20 * SECOND)).isEqualTo(Closing.FIN);
        assertThat(behaviour.closesAfterAnswer(20 * SECOND)).isFalse();
        assertThat(behaviour.idleClosing(30 * SECOND)).isEqualTo(Closing.RST);
        assertThat(behaviour.idleClosing(31 * SECOND)).isNull();
        assertThat(behaviour.draw(40 * SECOND).cut()).isTrue();
        assertThat(behaviour.closesAfterAnswer(50 * SECOND)).isTrue();
        assertThat(behaviour.draw(50 * SECOND).cut()).isFalse();
    }

    @Test
    void saysThatAWayOfClosingIsMissing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpSimulator.builder().close(TENTH))
                .withMessage("choose how connections are closed: header, fin, rst, cut");
    }

    @Test
    void answersAShareWithAnError() {
        Behaviour behaviour = behaviour(HttpSimulator.builder().errors(0.1, 503));

        long errors = IntStream.range(0, 10_000)
                .filter(i -> behaviour.draw(i).status() == 503)
                .count();

        assertThat(errors).isBetween(900L, 1_100L);
    }

    private static long cutOf(Behaviour behaviour, int requests) {
        return IntStream.range(0, requests)
                .filter(i -> behaviour.draw(10 * SECOND + i).cut())
                .count();
    }

    private static Behaviour behaviour(HttpSimulatorBuilder plan) {
        return new Behaviour(plan, new SplittableRandom(1));
    }
}
