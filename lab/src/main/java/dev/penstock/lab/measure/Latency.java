package dev.penstock.lab.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * A distribution of times, as it was when this was made: 1 us to 1 h, 3 digits. Shorter counts as what it is to the
 * nearest us, longer as 1 h.
 *
 * <p>Immutable.
 */
public final class Latency {
    static final long LEAST = 1_000;

    /** The longest that is told apart, in nanoseconds: 1 h. */
    public static final long MOST = 3_600_000_000_000L;

    /** How sure it has to be that the largest sample is beyond a percentile that is told. */
    private static final double DOUBT = 0.05;

    private static final double[] CURVE = {
        1, 5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 96, 97, 98, 98.5, 99, 99.25, 99.5, 99.7, 99.8, 99.9,
        99.95, 99.97, 99.99, 99.995, 99.999
    };

    private final Histogram nanos;

    /** Takes over a histogram, which nobody else may change from now on. */
    Latency(Histogram nanos) {
        this.nanos = nanos;
    }

    /** What times are gathered in, without any: in nanoseconds, none above {@link #MOST}. */
    public static Histogram empty() {
        return new Histogram(LEAST, MOST, 3);
    }

    /**
     * How many samples a percentile needs to be told at all: so many that one of them is beyond it with 95 % certainty; 299
     * for p99, 2,995 for p99.9.
     *
     * @param percent above 0 and below 100
     */
    public static long samplesFor(double percent) {
        return (long) Math.ceil(Math.log(DOUBT) / Math.log(percent / 100));
    }

    /** How many samples. */
    public long count() {
        return nanos.getTotalCount();
    }

    /** The mean in nanoseconds; empty without samples. */
    public OptionalLong mean() {
        return count() == 0 ? OptionalLong.empty() : OptionalLong.of(Math.round(nanos.getMean()));
    }

    /** The largest in nanoseconds; empty without samples. */
    public OptionalLong max() {
        return count() == 0 ? OptionalLong.empty() : OptionalLong.of(nanos.getMaxValue());
    }

    /**
     * The time in nanoseconds that so many percent of the samples do not exceed; empty when there are too few samples to
     * tell, see {@link #samplesFor}.
     *
     * @param percent above 0 and below 100
     */
    public OptionalLong percentile(double percent) {
        return count() < samplesFor(percent) ? OptionalLong.empty() : OptionalLong.of(atPercentile(percent));
    }

    /** As {@link #percentile}, however few samples there are; 0 without any. */
    long atPercentile(double percent) {
        return nanos.getValueAtPercentile(percent);
    }

    /**
     * The whole distribution for a plot: percent to milliseconds, denser towards 100, no further than the samples can tell.
     */
    public Map<String, Double> curve() {
        Map<String, Double> curve = new LinkedHashMap<>();
        for (double percent : CURVE) {
            percentile(percent).ifPresent(value -> curve.put(String.valueOf(percent), value / 1e6));
        }
        return curve;
    }

    /** A copy of the whole distribution, in nanoseconds. */
    public Histogram histogram() {
        return nanos.copy();
    }

    /** A distribution that was recorded elsewhere, in nanoseconds. Copies it. */
    public static Latency of(Histogram nanos) {
        return new Latency(nanos.copy());
    }
}
