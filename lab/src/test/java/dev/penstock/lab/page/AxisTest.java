package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class AxisTest {
    @Property
    void allValuesAreOnTheAxisAndTicksTellThemApart(
            @ForAll @Scale(3) @DoubleRange(min = 1e-3, max = 1e7) double one,
            @ForAll @Scale(3) @DoubleRange(min = 1e-3, max = 1e7) double other) {
        double least = Math.min(one, other);
        double most = Math.max(one, other);
        Axis axis = Axis.fitting(least, most);

        assertThat(axis.low()).isLessThanOrEqualTo(least * (1 + 1e-9));
        assertThat(axis.high()).isGreaterThanOrEqualTo(most * (1 - 1e-9));
        assertThat(axis.share(least)).isLessThanOrEqualTo(axis.share(most));
        assertThat(axis.ticks()).hasSizeBetween(1, 12);
        assertThat(axis.ticks().stream().map(Axis.Tick::label)).doesNotHaveDuplicates();
        assertThat(axis.ticks().stream().map(Axis.Tick::value))
                .isSorted()
                .allMatch(tick -> tick >= axis.low() * (1 - 1e-9) && tick <= axis.high() * (1 + 1e-9));
    }

    @Test
    void whatIsFarApartIsLogarithmicAndWhatIsCloseLeavesOutZero() {
        assertThat(Axis.fitting(1, 5_000).logarithmic()).isTrue();
        assertThat(Axis.fitting(1, 5_000).share(Math.sqrt(5_000))).isCloseTo(0.5, within(1e-9));
        assertThat(Axis.fitting(1_000, 1_100).low()).isBetween(900.0, 1_000.0);
        assertThat(Axis.fitting(10, 100).low()).isZero();
        assertThat(Axis.fitting(0, 5_000).logarithmic()).isFalse();
    }

    @Test
    void anAxisFromZeroEndsAtARoundNumber() {
        assertThat(Axis.fromZero(201).high()).isEqualTo(250);
        assertThat(Axis.fromZero(200).high()).isEqualTo(200);
        assertThat(Axis.fromZero(0).high()).isEqualTo(1);
    }

    @Test
    void theLatencyOfOneValueHasAnAxisToo() {
        Axis axis = Axis.fitting(7, 7);
        assertThat(axis.share(7)).isBetween(0.2, 0.8);
    }

    @Test
    void timeIsInSecondsAndInMinutesWhenLong() {
        assertThat(Axis.seconds(60).ticks().stream().map(Axis.Tick::label))
                .containsExactly("0 s", "10 s", "20 s", "30 s", "40 s", "50 s", "60 s");
        assertThat(Axis.seconds(1_800).ticks().getLast().label()).isEqualTo("30 min");
        assertThat(Axis.seconds(2).ticks().get(1).label()).isEqualTo("0.5 s");
        assertThat(Axis.seconds(0).ticks()).isNotEmpty();
    }

    @Test
    void percentilesAreAsFarFromEachOtherAsTheyAreFromTheEnd() {
        Axis axis = Axis.percentiles(99.9);
        assertThat(axis.share(90)).isCloseTo(1.0 / 3, within(1e-9));
        assertThat(axis.share(99)).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(axis.share(99.9)).isCloseTo(1, within(1e-9));
        assertThat(axis.ticks().stream().map(Axis.Tick::label)).containsExactly("0", "50", "90", "99", "99.9");
    }
}
