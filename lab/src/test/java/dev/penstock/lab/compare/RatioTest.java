package dev.penstock.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class RatioTest {
    /** Hours of sleep gained under two drugs: Student's own example (1908, after Cushny and Peebles). */
    private static final double[] FIRST = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};

    private static final double[] SECOND = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};

    @Test
    void pairsAreComparedAsStudentDid() {
        Ratio ratio = Ratio.paired(exp(FIRST), exp(SECOND), false).orElseThrow();

        assertThat(Math.log(ratio.ratio())).isCloseTo(-1.58, within(1e-12));
        assertThat(Math.log(ratio.low())).isCloseTo(-2.4598858, within(1e-7));
        assertThat(Math.log(ratio.high())).isCloseTo(-0.7001142, within(1e-7));
        assertThat(ratio.samples()).isEqualTo(10);
    }

    @Test
    void whatDoesNotPairIsComparedAsWelchDid() {
        Ratio ratio = Ratio.unpaired(exp(FIRST), exp(SECOND), false).orElseThrow();

        assertThat(Math.log(ratio.ratio())).isCloseTo(-1.58, within(1e-12));
        assertThat(Math.log(ratio.low())).isCloseTo(-3.3654832, within(1e-7));
        assertThat(Math.log(ratio.high())).isCloseTo(0.2054832, within(1e-7));
    }

    @Test
    void withoutSpreadTheIntervalIsTheRatio() {
        List<Double> twos = List.of(2.0, 2.0, 2.0);
        List<Double> ones = List.of(1.0, 1.0, 1.0);

        assertThat(Ratio.paired(twos, ones, false)).contains(new Ratio(2, 2, 2, 3));
        assertThat(Ratio.unpaired(twos, ones, false)).contains(new Ratio(2, 2, 2, 3));
    }

    @Test
    void oneSideWithoutSpreadTakesItsDegreesFromTheOther() {
        List<Double> spread = exp(0.1, 0.2, 0.3, 0.4);
        Ratio ratio = Ratio.unpaired(spread, List.of(1.0, 1.0), false).orElseThrow();

        double error = Math.sqrt((0.0225 + 0.0025) * 2 / 3 / 4);
        assertThat(Math.log(ratio.high())).isCloseTo(0.25 + StudentT.within95(3) * error, within(1e-9));
        assertThat(ratio.samples()).isEqualTo(2);
    }

    @Test
    void onePairHasNoBounds() {
        assertThat(Ratio.paired(List.of(4.0), List.of(2.0), false)).contains(new Ratio(2, 0, Double.MAX_VALUE, 1));
    }

    @Test
    void oneRunIsAssumedToVaryAsOthersDo() {
        double each = Ratio.BETWEEN_RUNS;
        List<Double> four = List.of(4.0);

        assertAlike(Ratio.unpaired(four, List.of(2.0), false).orElseThrow(), new Ratio(2, 2 / each, 2 * each, 1));
        // The logarithms of the other side have a standard deviation of 0.1.
        double reach = StudentT.within95(2) * Math.sqrt(0.01 * (1 + 1 / 3.0));
        assertAlike(
                Ratio.unpaired(four, exp(-0.1, 0, 0.1), false).orElseThrow(),
                new Ratio(4, 4 * Math.exp(-reach), 4 * Math.exp(reach), 1));
    }

    @Test
    void theLackOfBoundsIsANumberInJson() {
        Ratio none = Ratio.paired(List.of(3.0), List.of(2.0), false).orElseThrow();
        String json = JsonMapper.shared().writeValueAsString(none);

        assertThat(json).contains("\"low\":0.0,\"high\":1.7976931348623157E308");
        assertThat(JsonMapper.shared().readValue(json, Ratio.class)).isEqualTo(none);
    }

    @Test
    void endsFarAwayStayFinite() {
        Ratio wild = Ratio.paired(List.of(1e-300, 1e300), List.of(1e300, 1e-300), false)
                .orElseThrow();

        assertThat(wild).isEqualTo(new Ratio(1, 0, Double.MAX_VALUE, 2));
        assertThat(wild.inverse().low()).isLessThan(1e-300);
    }

    @Test
    void occurrencesMayBeZero() {
        List<Double> none = List.of(0.0, 0.0);

        assertAlike(Ratio.paired(List.of(1.0, 1.0), none, true).orElseThrow(), new Ratio(3, 3, 3, 2));
        assertThat(Ratio.unpaired(none, none, true)).contains(new Ratio(1, 1, 1, 2));
    }

    @Test
    void aPairWithoutBothSidesIsLeftOut() {
        List<Double> ours = Arrays.asList(2.0, null, 0.0, 4.0, Double.NaN);
        List<Double> other = Arrays.asList(1.0, 1.0, 1.0, -1.0, 1.0);

        assertThat(Ratio.paired(ours, other, false)).contains(new Ratio(2, 0, Double.MAX_VALUE, 1));
        assertThat(Ratio.unpaired(ours, other, false).orElseThrow().samples()).isEqualTo(2);
    }

    @Test
    void withNothingToCompareThereIsNoRatio() {
        assertThat(Ratio.paired(List.of(), List.of(), false)).isEmpty();
        assertThat(Ratio.paired(List.of(0.0), List.of(1.0), false)).isEmpty();
        assertThat(Ratio.unpaired(List.of(1.0), List.of(), true)).isEmpty();
    }

    @Test
    void pairsHaveTwoSides() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Ratio.paired(List.of(1.0), List.of(), false))
                .withMessage("1 values cannot be paired with 0");
    }

    @Property
    void swappingTheSidesTurnsItUpsideDown(
            @ForAll @Size(5) List<@DoubleRange(min = 0.01, max = 1e6) Double> ours,
            @ForAll @Size(5) List<@DoubleRange(min = 0.01, max = 1e6) Double> other,
            @ForAll boolean count) {
        assertAlike(
                Ratio.paired(ours, other, count).orElseThrow().inverse(),
                Ratio.paired(other, ours, count).orElseThrow());
        assertAlike(
                Ratio.unpaired(ours, other, count).orElseThrow().inverse(),
                Ratio.unpaired(other, ours, count).orElseThrow());
    }

    @Property
    void theUnitDoesNotMatter(
            @ForAll @Size(min = 2, max = 8) List<@DoubleRange(min = 0.01, max = 1e6) Double> ours,
            @ForAll @DoubleRange(min = 0.01, max = 1000) double unit) {
        List<Double> other = ours.reversed();
        assertAlike(
                Ratio.paired(times(unit, ours), times(unit, other), false).orElseThrow(),
                Ratio.paired(ours, other, false).orElseThrow());
        assertAlike(
                Ratio.unpaired(times(unit, ours), times(unit, other), false).orElseThrow(),
                Ratio.unpaired(ours, other, false).orElseThrow());
    }

    @Property
    void theIntervalHoldsTheRatio(
            @ForAll @Size(min = 1, max = 8) List<@DoubleRange(min = 0.01, max = 1e6) Double> ours,
            @ForAll @Size(min = 1, max = 8) List<@DoubleRange(min = 0.01, max = 1e6) Double> other) {
        Ratio ratio = Ratio.unpaired(ours, other, false).orElseThrow();
        assertThat(ratio.ratio()).isBetween(ratio.low(), ratio.high());
        assertThat(ratio.samples()).isEqualTo(Math.min(ours.size(), other.size()));
    }

    private static void assertAlike(Ratio ratio, Ratio expected) {
        assertThat(Math.log(ratio.ratio())).isCloseTo(Math.log(expected.ratio()), within(1e-6));
        assertThat(Math.log(ratio.low())).isCloseTo(Math.log(expected.low()), within(1e-6));
        assertThat(Math.log(ratio.high())).isCloseTo(Math.log(expected.high()), within(1e-6));
        assertThat(ratio.samples()).isEqualTo(expected.samples());
    }

    private static List<Double> times(double unit, List<Double> values) {
        return values.stream().map(value -> unit * value).toList();
    }

    private static List<Double> exp(double... logs) {
        return DoubleStream.of(logs).map(Math::exp).boxed().toList();
    }
}
