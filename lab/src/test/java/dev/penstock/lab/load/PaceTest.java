package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.load.Pace.Step;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MS = 1_000_000;
    private static final long START = Long.MAX_VALUE - 12 * MS; // readings overflow on the way
    private final ManualTicker ticker = new ManualTicker(START);

    @Test
    void parksUntilALittleBeforeThenSpinsThenStarts() {
        Pace pace = pace(100, Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(step(pace)).isEqualTo(Step.START);
        pace.advance();

        assertThat(step(pace)).isEqualTo(Step.PARK);
        assertThat(pace.wakeAt()).isEqualTo(START + 10 * MS - Pace.MAX_LEAD_NANOS);
        ticker.advance(Duration.ofNanos(10 * MS - Pace.MAX_LEAD_NANOS));
        assertThat(step(pace)).isEqualTo(Step.SPIN);
        ticker.advance(Duration.ofNanos(Pace.MAX_LEAD_NANOS - 1));
        assertThat(step(pace)).isEqualTo(Step.SPIN);
        ticker.advance(Duration.ofNanos(1));
        assertThat(step(pace)).isEqualTo(Step.START);
    }

    @Test
    void handsATransactionOverBeforeItIsDueByATenthOfTheTimeBetweenTwo() {
        Pace pace = new Pace(Arrivals.constant(500), START, Long.MAX_VALUE, Long.MAX_VALUE, 0, true);
        assertThat(step(pace)).isEqualTo(Step.START);
        pace.advance();

        assertThat(pace.wakeAt()).isEqualTo(START + 2 * MS - 2 * MS / 10);
        ticker.advance(Duration.ofNanos(2 * MS - 2 * MS / 10 - 1));
        assertThat(step(pace)).isEqualTo(Step.PARK);
        ticker.advance(Duration.ofNanos(1));
        assertThat(step(pace)).isEqualTo(Step.START);
        assertThat(pace.intended()).isEqualTo(START + 2 * MS);
    }

    @Test
    void atHighRatesThePacingThreadSpins() {
        Pace pace = new Pace(Arrivals.constant(1_000), START, Long.MAX_VALUE, Long.MAX_VALUE, 0, true);
        step(pace);
        pace.advance();

        assertThat(pace.wakeAt()).isEqualTo(START + MS - MS / Pace.LEAD_SHARE);
        ticker.advance(Duration.ofNanos(MS - MS / Pace.LEAD_SHARE));
        assertThat(step(pace)).isEqualTo(Step.SPIN);
    }

    @Test
    void catchesUpWithAllThatWasDueAndKeepsTheirIntendedStarts() {
        Pace pace = pace(1_000, Long.MAX_VALUE, Long.MAX_VALUE);
        ticker.advance(Duration.ofNanos(20 * MS));

        for (int i = 0; i <= 20; i++) {
            assertThat(step(pace)).isEqualTo(Step.START);
            assertThat(pace.sequence()).isEqualTo(i);
            assertThat(pace.intended()).isEqualTo(START + i * MS);
            pace.advance();
        }
        assertThat(step(pace)).isEqualTo(Step.PARK);
    }

    @Test
    void startsNothingThatIsDueAtOrAfterItsEnd() {
        Pace pace = pace(1_000, 5 * MS, Long.MAX_VALUE);
        ticker.advance(Duration.ofNanos(100 * MS));

        assertThat(startAll(pace)).isEqualTo(5);
    }

    @Test
    void startsNoMoreThanItsCount() {
        Pace pace = pace(1_000, Long.MAX_VALUE, 7);
        ticker.advance(Duration.ofNanos(100 * MS));

        assertThat(startAll(pace)).isEqualTo(7);
    }

    @Test
    void endsWhenNothingIsDueAnyMore() {
        Arrivals arrivals = Arrivals.even(Shape.steps(List.of(1_000.0, 0.0), Duration.ofMillis(5)));
        Pace pace = new Pace(arrivals, START, Long.MAX_VALUE, Long.MAX_VALUE, 0, false);
        ticker.advance(Duration.ofNanos(100 * MS));

        assertThat(startAll(pace)).isEqualTo(5);
    }

    @Test
    void onAGridItParksUntilThePointAtWhichSomethingIsDueAndNeverSpins() {
        Pace pace = new Pace(Arrivals.constant(400), START, Long.MAX_VALUE, Long.MAX_VALUE, MS, false);
        assertThat(step(pace)).isEqualTo(Step.START);
        pace.advance();

        assertThat(step(pace)).isEqualTo(Step.PARK);
        assertThat(pace.wakeAt()).isEqualTo(START + 3 * MS); // due at 2.5 ms
        ticker.advance(Duration.ofNanos(5 * MS / 2 - 1));
        assertThat(step(pace)).isEqualTo(Step.PARK);
        ticker.advance(Duration.ofNanos(MS / 2 + 1));
        assertThat(step(pace)).isEqualTo(Step.START);
        assertThat(pace.intended()).isEqualTo(START + 5 * MS / 2);
        pace.advance();
        assertThat(pace.wakeAt()).as("due on a point of the grid").isEqualTo(START + 5 * MS);
    }

    private int startAll(Pace pace) {
        int started = 0;
        while (step(pace) == Step.START) {
            started++;
            pace.advance();
        }
        assertThat(step(pace)).isEqualTo(Step.END);
        return started;
    }

    private Step step(Pace pace) {
        return pace.at(ticker.nanos());
    }

    private static Pace pace(double rate, long lasting, long count) {
        return new Pace(Arrivals.constant(rate), START, lasting, count, 0, false);
    }
}
