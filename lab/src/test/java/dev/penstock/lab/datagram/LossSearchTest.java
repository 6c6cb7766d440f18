package dev.penstock.lab.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.datagram.LossSearch.Seen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LossSearchTest {
    @ParameterizedTest
    @ValueSource(doubles = {3, 92, 1_000, 47_113, 246_000})
    void findsTheEdgeFromBelowAndFromAbove(double edge) {
        for (double start : new double[] {1, 500, 400_000}) {
            LossSearch search = LossSearch.from(start).most(500_000).within(0.05);
            while (search.next().isPresent()) {
                search.saw(search.next().getAsDouble() <= edge ? Seen.WELL : Seen.LOSSY);
            }
            assertThat(search.highest()).isBetween(Math.min(edge - 1, edge / 1.05 - 1e-6), edge);
            assertThat(search.lowestTooMuch().getAsDouble()).isGreaterThan(edge);
            assertThat(search.bound()).isEqualTo(Seen.LOSSY);
            assertThat(search.trials()).hasSizeLessThan(90);
        }
    }

    @Test
    void oneStallDoesNotDecide() {
        LossSearch search = LossSearch.from(1_000).most(500_000);
        double stalledAt = 0;
        while (search.next().isPresent()) {
            double level = search.next().getAsDouble();
            boolean stalled = level != stalledAt;
            stalledAt = level;
            search.saw(stalled || level > 100_000 ? Seen.LOSSY : Seen.WELL);
        }
        assertThat(search.highest()).isBetween(95_000.0, 100_000.0);
    }

    @Test
    void endsAtTheHighestThatMayBeTried() {
        LossSearch search = LossSearch.from(10).most(100);
        while (search.next().isPresent()) {
            assertThat(search.next().getAsDouble()).isLessThanOrEqualTo(100);
            search.saw(Seen.WELL);
        }
        assertThat(search.highest()).isEqualTo(100);
        assertThat(search.bound()).isEqualTo(Seen.WELL);
        assertThat(search.lowestTooMuch()).isEmpty();
    }

    @Test
    void saysWhenTheSenderIsTheBound() {
        LossSearch search = LossSearch.from(10).most(1_000);
        while (search.next().isPresent()) {
            search.saw(search.next().getAsDouble() > 300 ? Seen.NOT_SENT : Seen.WELL);
        }
        assertThat(search.bound()).isEqualTo(Seen.NOT_SENT);
        assertThat(search.highest()).isBetween(280.0, 300.0);
    }

    @Test
    void whereNothingGoesItEndsAtOne() {
        LossSearch search = LossSearch.from(1_000);
        while (search.next().isPresent()) {
            search.saw(Seen.LOSSY);
        }
        assertThat(search.highest()).isZero();
        assertThat(search.trials()).hasSizeLessThan(30);
    }
}
