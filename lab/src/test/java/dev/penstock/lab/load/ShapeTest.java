package dev.penstock.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class ShapeTest {
    private static final long SECOND = 1_000_000_000;
    private static final int MOST_DUE = 20_000;

    @Property(tries = 300)
    void evenArrivalsAreAsManyAsTheRateAddsUpToInAnyStretch(
            @ForAll("shapes") Shape shape,
            @ForAll @DoubleRange(max = 1) double a,
            @ForAll @DoubleRange(max = 1) double b) {
        long[] due = due(Arrivals.even(shape));
        long end = due.length < MOST_DUE ? length(shape) + SECOND : due[due.length - 1];
        long from = (long) (Math.min(a, b) * end);
        long to = (long) (Math.max(a, b) * end);

        double expected = integral(shape, to) - integral(shape, from);
        assertThat((double) ArrivalsTest.between(due, from, to)).isCloseTo(expected, within(1.001));
    }

    @Property(tries = 300)
    void offsetsNeverGoBack(@ForAll("shapes") Shape shape, @ForAll long seed) {
        assertThat(due(Arrivals.even(shape))).isSorted();
        assertThat(due(Arrivals.poisson(shape, seed))).isSorted();
    }

    @Property(tries = 200)
    void poissonArrivalsAreAsManyAsTheRateAddsUpToButForChance(@ForAll("shapes") Shape shape, @ForAll long seed) {
        long[] due = due(Arrivals.poisson(shape, seed));
        long end = due.length < MOST_DUE ? length(shape) : due[due.length - 1];
        double expected = integral(shape, end);

        // Beyond 6 standard deviations once in 500 million; the sizes here are at most 20,000.
        assertThat((double) ArrivalsTest.between(due, 0, end)).isCloseTo(expected, within(6 * Math.sqrt(expected) + 3));
    }

    @Property(tries = 100)
    void theSameSeedMakesTheSameTimes(@ForAll("shapes") Shape shape, @ForAll long seed) {
        assertThat(due(Arrivals.poisson(shape, seed))).isEqualTo(due(Arrivals.poisson(shape, seed)));
    }

    @Property(tries = 100)
    void nothingIsDueOnceTheRateStaysAtNothing(@ForAll @DoubleRange(min = 1, max = 500) double rate) {
        Shape shape = Shape.steps(List.of(rate, 0.0), Duration.ofSeconds(2));
        LongSupplier offsets = Arrivals.even(shape).offsets();
        long[] due = LongStream.generate(offsets)
                .takeWhile(offset -> offset != Long.MAX_VALUE)
                .toArray();

        assertThat(due.length).isEqualTo((int) Math.ceil(2 * rate));
        assertThat(LongStream.generate(offsets).limit(1_000)).containsOnly(Long.MAX_VALUE);
    }

    @Property(tries = 200)
    void theLongestAndSlowestShapesDoNotOverflow(
            @ForAll @IntRange(min = -12, max = -6) int power, @ForAll @LongRange(min = 1, max = 90) long years) {
        Shape shape = Shape.ramp(0, Math.pow(10, power), Duration.ofDays(365 * years));

        assertThat(LongStream.generate(Arrivals.even(shape).offsets()).limit(50))
                .isSorted()
                .allMatch(at -> at >= 0);
    }

    @Example
    void itKnowsWhereItIsFlat() {
        Shape shape = Shape.spike(100, 500, Duration.ofSeconds(10), Duration.ofSeconds(2));

        assertThat(shape.isFlat(0, 10 * SECOND)).isTrue();
        assertThat(shape.isFlat(0, 10 * SECOND + 1)).isFalse();
        assertThat(shape.isFlat(10 * SECOND, 12 * SECOND)).isTrue();
        assertThat(shape.isFlat(11 * SECOND, 13 * SECOND)).isFalse();
        assertThat(shape.isFlat(12 * SECOND, Long.MAX_VALUE)).isTrue();
        assertThat(shape.isFlat(0, Long.MAX_VALUE)).isFalse();
        assertThat(Shape.flat(5).isFlat(0, Long.MAX_VALUE)).isTrue();
        assertThat(Shape.ramp(1, 2, Duration.ofSeconds(1)).isFlat(0, SECOND)).isFalse();
        assertThat(Shape.ramp(1, 2, Duration.ofSeconds(1)).isFlat(SECOND, Long.MAX_VALUE))
                .isTrue();
    }

    @Example
    void aSpikeOnARampLeavesTheRestOfItAsItWas() {
        Shape ramp = Shape.ramp(0, 100, Duration.ofSeconds(10));
        Shape spiked = ramp.withSpike(1_000, Duration.ofSeconds(4), Duration.ofSeconds(2));

        assertThat(integral(spiked, 4 * SECOND)).isCloseTo(integral(ramp, 4 * SECOND), within(1e-6));
        assertThat(integral(spiked, 6 * SECOND) - integral(spiked, 4 * SECOND)).isCloseTo(2_000, within(1e-6));
        assertThat(integral(spiked, 20 * SECOND) - integral(spiked, 6 * SECOND))
                .isCloseTo(integral(ramp, 20 * SECOND) - integral(ramp, 6 * SECOND), within(1e-6));
    }

    @Example
    void whatIsNoShapeIsRefusedInOneLine() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shape.ramp(0, 0, second))
                .withMessageContaining("above 0");
        assertThatIllegalArgumentException().isThrownBy(() -> Shape.ramp(-1, 5, second));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shape.ramp(1, 5, Duration.ZERO))
                .withMessageContaining("longer than 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shape.steps(List.of(), second))
                .withMessageContaining("at least one rate");
        assertThatIllegalArgumentException().isThrownBy(() -> Shape.steps(List.of(0.0, 0.0), second));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shape.spike(1, 5, Duration.ofSeconds(-1), second))
                .withMessageContaining("at or after the start");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Shape.spike(1, 5, Duration.ofDays(90 * 365), Duration.ofDays(90 * 365)))
                .withMessageContaining("100 years");
    }

    @Provide
    Arbitrary<Shape> shapes() {
        Arbitrary<Double> rates = Arbitraries.frequencyOf(
                Tuple.of(1, Arbitraries.just(0.0)),
                Tuple.of(4, Arbitraries.doubles().between(0.01, 900)));
        Arbitrary<Shape.Segment> segments = Combinators.combine(
                        rates, rates, Arbitraries.longs().between(1, 8 * SECOND), Arbitraries.of(true, false))
                .as((from, to, nanos, level) -> new Shape.Segment(from, level ? from : to, nanos));
        return Combinators.combine(segments.list().ofMaxSize(6), rates)
                .filter((parts, then) -> then > 0 || parts.stream().anyMatch(part -> part.count() > 0))
                .as((parts, then) -> new Shape(parts, then, "any"));
    }

    /** What is due in the shape and a second beyond, but no more than the first so many. */
    private static long[] due(Arrivals arrivals) {
        long end = length(arrivals.shape()) + SECOND;
        return LongStream.generate(arrivals.offsets())
                .limit(MOST_DUE)
                .takeWhile(at -> at < end)
                .toArray();
    }

    private static long length(Shape shape) {
        return shape.segments().stream().mapToLong(Shape.Segment::nanos).sum();
    }

    /** The rate added up, by the trapezoid rule, which is exact on straight lines. */
    private static double integral(Shape shape, long until) {
        double sum = 0;
        long start = 0;
        for (Shape.Segment segment : shape.segments()) {
            long within = Math.clamp(until - start, 0, segment.nanos());
            double share = (double) within / segment.nanos();
            double there = segment.from() + share * (segment.to() - segment.from());
            sum += (segment.from() + there) / 2 * within / 1e9;
            start += segment.nanos();
        }
        return sum + shape.then() * Math.max(0, until - start) / 1e9;
    }
}
