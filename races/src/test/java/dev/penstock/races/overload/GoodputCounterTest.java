package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.races.LoadTimes;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GoodputCounterTest {
    private static final long MS = 1_000_000;
    private static final long START = Long.MAX_VALUE - 1_500 * MS; // readings overflow during the test
    private static final Outcome NO = Outcome.of(new Rejected(Rejected.Cause.LIMIT, "full"));

    private final GoodputCounter tally = new GoodputCounter(Duration.ofSeconds(1), LoadTimes.ofMillis(500, 2_000));

    @BeforeEach
    void begin() {
        tally.begins(START);
    }

    @Test
    void countsAnswersInTimeAtTheirEnd() {
        answered(-500, 0); // due in the warm-up, ended after it
        answered(-500, -1); // ended in the warm-up
        answered(0, 1_000);
        answered(0, 1_001);
        answered(1_500, 1_999);
        answered(1_500, 2_000); // useful, but after the end

        assertThat(tally.metrics()).containsEntry("goodput", 1.5).containsEntry("late", 1.0);
        assertThat(tally.metrics().get("max_ms")).isCloseTo(1_001, within(1.0));
    }

    @Test
    void timesARejectionFromItsOffer() {
        for (int i = 0; i < 300; i++) {
            tally.ended(NO, START, START + 30 * MS, START + 30 * MS + (i < 290 ? 5_000 : 80_000));
        }
        tally.ended(NO, START - 1, START, START + 10 * MS); // due in the warm-up

        Map<String, Double> metrics = tally.metrics();
        assertThat(metrics.get("reject_p50_us")).isCloseTo(5, within(0.05));
        assertThat(metrics.get("reject_p99_us")).isCloseTo(80, within(0.1));
        assertThat(metrics).containsEntry("goodput", 0.0).doesNotContainKeys("p50_ms", "max_ms");
    }

    @Test
    void ignoresWrongAnswersAndFailures() {
        tally.ended(Outcome.WRONG, START, START, START + MS);
        tally.ended(Outcome.of(new Unknown(Unknown.Cause.TIMEOUT, "1 s")), START, START, START + MS);

        assertThat(tally.metrics()).isEqualTo(Map.of("goodput", 0.0, "late", 0.0));
        assertThat(tally.curve()).isEmpty();
    }

    @Test
    void omitsPercentilesOfTooFewValues() {
        for (int i = 0; i < 100; i++) {
            answered(i, i + 40);
        }

        assertThat(tally.metrics().get("p50_ms")).isCloseTo(40, within(0.1));
        assertThat(tally.metrics()).doesNotContainKey("p99_ms");
        assertThat(tally.curve()).containsKey("50.0").doesNotContainKey("99.0");
    }

    private void answered(long dueMillis, long atMillis) {
        tally.ended(Outcome.RIGHT, START + dueMillis * MS, START + dueMillis * MS, START + atMillis * MS);
    }
}
