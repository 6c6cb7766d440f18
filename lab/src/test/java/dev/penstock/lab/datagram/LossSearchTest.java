package dev.penstock.lab.datagram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.datagram.LossSearch.Seen;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
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
                search.record(search.next().getAsDouble() <= edge ? Seen.WELL : Seen.LOSSY);
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
            search.record(stalled || level > 100_000 ? Seen.LOSSY : Seen.WELL);
        }
        assertThat(search.highest()).isBetween(95_000.0, 100_000.0);
    }

    @Test
    void endsAtTheHighestThatMayBeTried() {
        LossSearch search = LossSearch.from(10).most(100);
        while (search.next().isPresent()) {
            assertThat(search.next().getAsDouble()).isLessThanOrEqualTo(100);
            search.record(Seen.WELL);
        }
        assertThat(search.highest()).isEqualTo(100);
        assertThat(search.bound()).isEqualTo(Seen.WELL);
        assertThat(search.lowestTooMuch()).isEmpty();
    }

    @Test
    void saysWhenTheSenderIsTheBound() {
        LossSearch search = LossSearch.from(10).most(1_000);
        while (search.next().isPresent()) {
            search.record(search.next().getAsDouble() > 300 ? Seen.NOT_SENT : Seen.WELL);
        }
        assertThat(search.bound()).isEqualTo(Seen.NOT_SENT);
        assertThat(search.highest()).isBetween(280.0, 300.0);
    }

    @Property(tries = 500)
    void theHighestIsTheOneThatALongerTrialConfirmed(
            @ForAll @DoubleRange(min = 1, max = 400_000) double edge,
            @ForAll @DoubleRange(min = 0, max = 400_000) double lastingEdge,
            @ForAll @DoubleRange(min = 1, max = 400_000) double start,
            @ForAll @DoubleRange(min = 0, max = 0.3) double stalls,
            @ForAll Random random) {
        LossSearch search = LossSearch.from(start).most(500_000).within(0.05).confirming();
        double confirmed = 0;
        while (search.next().isPresent()) {
            assertThat(search.highest()).isZero();
            double level = search.next().getAsDouble();
            assertThat(level).isBetween(1.0, 500_000.0);
            boolean longer = search.isConfirming();
            boolean well = level <= (longer ? Math.min(edge, lastingEdge) : edge) && random.nextDouble() >= stalls;
            search.record(well ? Seen.WELL : Seen.LOSSY);
            confirmed = longer && well ? level : 0;
        }
        assertThat(search.isConfirming()).isFalse();
        assertThat(search.highest()).isEqualTo(confirmed).isLessThanOrEqualTo(Math.min(edge, lastingEdge));
        assertThat(search.trials()).hasSizeLessThan(250);
    }

    @Property(tries = 200)
    void withoutStallsTheConfirmedLevelIsCloseToTheLastingEdge(
            @ForAll @DoubleRange(min = 10, max = 400_000) double edge,
            @ForAll @DoubleRange(min = 0.01, max = 1) double lasts) {
        LossSearch search = LossSearch.from(500).most(500_000).within(0.05).confirming();
        while (search.next().isPresent()) {
            double level = search.next().getAsDouble();
            search.record(level <= (search.isConfirming() ? lasts * edge : edge) ? Seen.WELL : Seen.LOSSY);
        }
        if (lasts * edge >= 2) {
            assertThat(search.highest()).isBetween(lasts * edge / 2.1, lasts * edge);
        }
        if (lasts > 0.9 && edge > 100) {
            assertThat(search.highest()).isGreaterThan(lasts * edge * 0.9);
        }
    }

    @Test
    void aLevelThatIsNotConfirmedIsLoweredUntilOneIs() {
        LossSearch search = LossSearch.from(100_000).most(100_000).confirming();
        search.record(Seen.WELL);
        search.record(Seen.WELL);
        assertThat(search.isConfirming()).isTrue();
        assertThat(search.next()).hasValue(100_000);
        search.record(Seen.LOSSY);
        search.record(Seen.NOT_SENT);
        assertThat(search.next()).hasValue(97_000);
        search.record(Seen.LOSSY);
        assertThat(search.highest()).isZero();
        search.record(Seen.WELL);
        assertThat(search.next()).isEmpty();
        assertThat(search.highest()).isEqualTo(97_000);
        assertThat(search.bound()).isEqualTo(Seen.NOT_SENT);
        assertThat(search.lowestTooMuch()).hasValue(100_000);
    }

    @Test
    void whatIsNeverConfirmedIsNoLevel() {
        LossSearch search = LossSearch.from(100_000).most(500_000).confirming();
        while (search.next().isPresent()) {
            search.record(search.isConfirming() ? Seen.LOSSY : Seen.WELL);
        }
        assertThat(search.highest()).isZero();
        assertThat(search.trials()).hasSizeLessThan(110);
    }

    @Test
    void whereNothingGoesItEndsAtOne() {
        LossSearch search = LossSearch.from(1_000);
        while (search.next().isPresent()) {
            search.record(Seen.LOSSY);
        }
        assertThat(search.highest()).isZero();
        assertThat(search.trials()).hasSizeLessThan(30);
    }
}
