package dev.penstock.lab.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/**
 * An immutable latency distribution from 1 us to 1 h with 3 significant digits. Shorter values are rounded to the
 * nearest us, longer ones count as 1 h.
 */
public final class Latency {
    static final long MIN = 1_000;

    /** The maximum recorded value, in nanoseconds: 1 h. */
    public static final long MAX = 3_600_000_000_000L;

    /** The accepted probability that no sample lies beyond a reported percentile. */
    private static final double DOUBT = 0.05;

    /** Half the width of a 95 % interval, in standard deviations. */
    private static final double NORMAL_95 = 1.96;

    private static final double[] CURVE = {
        1, 5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 96, 97, 98, 98.5, 99, 99.25, 99.5, 99.7, 99.8, 99.9,
        99.95, 99.97, 99.99, 99.995, 99.999
    };

    private final Histogram nanos;
    private final long leastUnanswered;

    /** Takes ownership of a histogram; nobody else may change it afterwards. */
    Latency(Histogram nanos) {
        this(nanos, Long.MAX_VALUE);
    }

    /** As {@link #Latency(Histogram)}, of which some samples are lower bounds, see {@link #leastUnanswered()}. */
    Latency(Histogram nanos, long leastUnanswered) {
        this.nanos = nanos;
        this.leastUnanswered = leastUnanswered == Long.MAX_VALUE
                ? leastUnanswered
                : nanos.lowestEquivalentValue(Math.clamp(leastUnanswered, 0, MAX));
    }

    /**
     * The shortest time waited for an answer that never came, in nanoseconds; empty if all were answered. Such a sample is
     * the time waited, so the mean, and every percentile from this value on, are lower bounds.
     */
    public OptionalLong leastUnanswered() {
        return leastUnanswered == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(leastUnanswered);
    }

    /** An empty histogram for recording, in nanoseconds; values must not exceed {@link #MAX}. */
    public static Histogram empty() {
        return new Histogram(MIN, MAX, 3);
    }

    /**
     * The number of samples needed to report a percentile: enough that one of them lies beyond it with 95 %
     * probability; 299 for p99, 2,995 for p99.9.
     *
     * @param percent above 0 and below 100
     */
    public static long samplesFor(double percent) {
        return (long) Math.ceil(Math.log(DOUBT) / Math.log(percent / 100));
    }

    /** The number of samples. */
    public long count() {
        return nanos.getTotalCount();
    }

    /** The mean in nanoseconds; empty without samples. */
    public OptionalLong mean() {
        return count() == 0 ? OptionalLong.empty() : OptionalLong.of(Math.round(nanos.getMean()));
    }

    /** The minimum in nanoseconds; empty without samples. */
    public OptionalLong min() {
        return count() == 0 ? OptionalLong.empty() : OptionalLong.of(nanos.getMinValue());
    }

    /** The maximum in nanoseconds; empty without samples. */
    public OptionalLong max() {
        return count() == 0 ? OptionalLong.empty() : OptionalLong.of(nanos.getMaxValue());
    }

    /**
     * The percentile in nanoseconds; empty with too few samples, see {@link #samplesFor}.
     *
     * @param percent above 0 and below 100
     */
    public OptionalLong percentile(double percent) {
        return count() < samplesFor(percent) ? OptionalLong.empty() : OptionalLong.of(atPercentile(percent));
    }

    /** As {@link #percentile}, with any number of samples; 0 without any. */
    long atPercentile(double percent) {
        return nanos.getValueAtPercentile(percent);
    }

    /** The lower end of the 95 % interval of a percentile, by the binomial distribution of its rank. */
    long leastAtPercentile(double percent) {
        double share = percent / 100;
        double rank = share - NORMAL_95 * Math.sqrt(share * (1 - share) / (double) Math.max(1, count()));
        return atPercentile(100 * Math.max(0, rank));
    }

    /** The lower end of the 95 % interval of the mean. */
    public long leastMean() {
        return count() == 0
                ? 0
                : Math.round(nanos.getMean() - NORMAL_95 * nanos.getStdDeviation() / Math.sqrt((double) count()));
    }

    /**
     * The distribution for a plot: percent to milliseconds, denser towards 100, up to the highest percentile that the
     * samples support.
     */
    public Map<String, Double> curve() {
        Map<String, Double> curve = new LinkedHashMap<>();
        for (double percent : CURVE) {
            percentile(percent).ifPresent(value -> curve.put(String.valueOf(percent), value / 1e6));
        }
        return curve;
    }

    /** A copy of the distribution, in nanoseconds. */
    public Histogram histogram() {
        return nanos.copy();
    }

    /** Copies a distribution recorded elsewhere, in nanoseconds. */
    public static Latency of(Histogram nanos) {
        return of(nanos, Long.MAX_VALUE);
    }

    /**
     * As {@link #of(Histogram)}, of which some samples are the time waited for an answer that never came.
     *
     * @param leastUnanswered the shortest of them, in nanoseconds; {@link Long#MAX_VALUE} without any
     */
    public static Latency of(Histogram nanos, long leastUnanswered) {
        return new Latency(nanos.copy(), leastUnanswered);
    }
}
