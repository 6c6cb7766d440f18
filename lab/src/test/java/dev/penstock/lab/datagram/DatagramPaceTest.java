package dev.penstock.lab.datagram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatagramPaceTest {
    private static final long MS = 1_000_000;

    @Test
    void asManyAsTheRateAddsUpTo() {
        DatagramPace pace = new DatagramPace(Cadence.steady(3_000), 1_000 * MS, 10 * MS, 64);
        long sent = 0;
        for (long now = 0; !pace.isOver(); now += 50_000) {
            int ready = pace.ready(now);
            pace.taken(ready);
            sent += ready;
            assertThat(Math.abs(sent - (now * 3_000 / 1e9 + 1))).isLessThanOrEqualTo(1);
        }
        assertThat(sent).isEqualTo(3_000);
        assertThat(pace.shed()).isZero();
    }

    @Test
    void catchesUpNoMoreThanItsBoundAndShedsTheRest() {
        DatagramPace pace = new DatagramPace(Cadence.steady(100_000), 1_000 * MS, 10 * MS, 64);
        assertThat(pace.ready(0)).isEqualTo(1);
        pace.taken(1);
        assertThat(pace.ready(50 * MS)).isEqualTo(64);
        assertThat(pace.shed()).isEqualTo(5_001 - 1 - 1_001);
        assertThat(pace.next()).isEqualTo(4_000);
        long sent = 0;
        for (int ready = pace.ready(50 * MS); ready > 0; ready = pace.ready(50 * MS)) {
            pace.taken(ready);
            sent += ready;
        }
        assertThat(sent).isEqualTo(1_001);
        assertThat(pace.nextAt()).isBetween(50 * MS, 50 * MS + 10_000);
    }

    @Test
    void aBurstIsDueAtOnceAndTheNextInItsTime() {
        DatagramPace pace = new DatagramPace(Cadence.bursts(100, Duration.ofMillis(10)), 20 * MS, MS, 64);
        assertThat(pace.ready(0)).isEqualTo(64);
        pace.taken(64);
        assertThat(pace.ready(5 * MS)).isEqualTo(36);
        pace.taken(36);
        assertThat(pace.ready(9 * MS)).isZero();
        assertThat(pace.nextAt()).isEqualTo(10 * MS);
        pace.ready(10 * MS);
        pace.taken(60);
        assertThat(pace.isOver()).isFalse();
        pace.stop(19 * MS);
        assertThat(pace.shed()).isEqualTo(40);
        assertThat(pace.isOver()).isTrue();
    }

    @Test
    void whatIsDueByATimeWasDueNotAfterIt() {
        for (Cadence cadence : new Cadence[] {
            Cadence.steady(0.5),
            Cadence.steady(333.3),
            Cadence.steady(10_000_000),
            Cadence.bursts(7, Duration.ofMillis(3))
        }) {
            for (long now = 0; now < 5_000 * MS; now += 377 * MS + 13) {
                long due = cadence.due(now);
                assertThat(cadence.at(due - 1)).isLessThanOrEqualTo(now + 1);
                assertThat(cadence.at(due)).isGreaterThanOrEqualTo(now);
            }
        }
    }

    @Test
    void refusesWhatIsNoCadence() {
        assertThatIllegalArgumentException().isThrownBy(() -> Cadence.steady(0)).withMessageContaining("above 0");
        assertThatIllegalArgumentException().isThrownBy(() -> Cadence.steady(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> Cadence.bursts(0, Duration.ofSeconds(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> Cadence.bursts(1, Duration.ZERO));
    }
}
