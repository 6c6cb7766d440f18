package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WindowWatchTest {
    private static final long SECOND = 1_000_000_000;
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 5 * SECOND); // readings overflow on the way
    private final FaultClock clock = new FaultClock(ticker, false);
    private final FaultSchedule tenth = new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1));
    private final WindowWatch watch = new WindowWatch(clock, new Closings(tenth, List.of(Closing.FIN, Closing.RST)));

    @Test
    void tellsEachOpeningOnceAndTheWaysInTurn() {
        assertThat(watch.opened(ticker.nanos())).isNull();
        assertThat(lookAgain()).isEqualTo(10 * SECOND);
        assertThat(watch.opened(ticker.nanos())).isEqualTo(Closing.FIN);
        assertThat(watch.opened(ticker.nanos())).isNull();
        assertThat(lookAgain()).as("the window closes").isEqualTo(SECOND);
        assertThat(watch.opened(ticker.nanos())).isNull();
        assertThat(lookAgain()).isEqualTo(9 * SECOND);
        assertThat(watch.opened(ticker.nanos())).isEqualTo(Closing.RST);
    }

    @Test
    void whoLooksTooLateMissesAWindowThatIsClosed() {
        ticker.advance(Duration.ofSeconds(15));
        assertThat(watch.opened(ticker.nanos())).isNull();
        ticker.advance(Duration.ofMillis(5_500));
        assertThat(watch.opened(ticker.nanos())).isEqualTo(Closing.RST);
    }

    @Test
    void aTimelineThatBeginsAnewTellsItsFirstWindowAgain() {
        ticker.advance(Duration.ofSeconds(10));
        assertThat(watch.opened(ticker.nanos())).isEqualTo(Closing.FIN);
        clock.begin();
        assertThat(watch.opened(ticker.nanos())).isNull();
        assertThat(lookAgain()).isEqualTo(10 * SECOND);
        assertThat(watch.opened(ticker.nanos())).isEqualTo(Closing.FIN);
    }

    /** Moves the clock to when it says to look again; by how much. */
    private long lookAgain() {
        long wait = watch.nextCheck(ticker.nanos()) - ticker.nanos();
        ticker.advance(Duration.ofNanos(wait));
        return wait;
    }
}
