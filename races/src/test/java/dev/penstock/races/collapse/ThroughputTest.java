package dev.penstock.races.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThroughputTest {
    private static final long MS = 1_000_000;
    private static final long START = Long.MAX_VALUE - 500 * MS; // readings overflow during the test

    private final Throughput throughput =
            new Throughput(new SimulatedApi(SimulatedCallTime.ofMillis(0), 1, Ticker.SYSTEM), Duration.ofSeconds(1));

    private void ended(Outcome outcome, long fromMillis, long toMillis) {
        throughput.ended(outcome, START + fromMillis * MS, START + fromMillis * MS, START + toMillis * MS);
    }

    @Test
    void answerCountsByItsShareOfTheWindow() {
        throughput.begins(START);
        ended(Outcome.RIGHT, -250, 250);
        ended(Outcome.RIGHT, 250, 750);
        ended(Outcome.RIGHT, 750, 1_250);
        ended(Outcome.RIGHT, -600, 0);
        ended(Outcome.RIGHT, 1_000, 1_500);
        ended(Outcome.WRONG, 0, 500);

        assertThat(throughput.perSecond()).isCloseTo(2, within(1e-9));
    }

    @Test
    void groupsAtTheEdgesDoNotChangeTheRate() {
        throughput.begins(START);
        for (long from = -499; from < 1_000; from += 500) {
            ended(Outcome.RIGHT, from, from + 500);
        }

        assertThat(throughput.perSecond()).isCloseTo(2, within(1e-9));
    }
}
