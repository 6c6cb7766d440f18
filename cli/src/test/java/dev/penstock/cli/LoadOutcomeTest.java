package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.cli.probe.Found;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadOutcomeTest {
    @Test
    void aClosedLoadSaysThatItHidesAStall() {
        assertThat(LoadOutcome.notes(ClosedLoad.of(10, Duration.ZERO), result(2_000)))
                .singleElement()
                .asString()
                .startsWith("a closed load hides stalls: during the 2");
    }

    @Test
    void withoutAStallOrWithAnOpenLoadNothingIsSaid() {
        assertThat(LoadOutcome.notes(ClosedLoad.of(10, Duration.ZERO), result(200)))
                .isEmpty();
        assertThat(LoadOutcome.notes(OpenLoad.at(Arrivals.constant(100)), result(2_000)))
                .isEmpty();
    }

    /** 1,000 answers of 100 ms, and one of another time. */
    private static LoadResult result(long slowestMillis) {
        Histogram nanos = Latency.empty();
        nanos.recordValueWithCount(100_000_000, 1_000);
        nanos.recordValue(1_000_000 * slowestMillis);
        return Found.load(nanos);
    }
}
