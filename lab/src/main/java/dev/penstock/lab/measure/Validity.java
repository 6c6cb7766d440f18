package dev.penstock.lab.measure;

import dev.penstock.text.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run measured the service rather than the generator. A run is INVALID when the generator shed more than 0.1
 * % of its transactions, or when its lag makes up more than 10 % of the mean, p50, p90 or p99 of the response time: that
 * is how far the figure is above the same figure of the service time, which starts when the transaction really started.
 * Lag that moves no figure beyond its 95 % interval does no harm: another run would differ by as much. The interval is the
 * wider of that of independent transactions and that of the ten slices of the run (batch means), as one stall delays many
 * transactions. Nor does lag do harm that moves p90 or p99 by at most 0.3 ms, the resolution of the generator.
 *
 * @param whyInvalid one sentence with its numbers, and which figures are right all the same; null when valid
 * @param stands the keys of the figures of an invalid run that are right all the same, as in result files
 */
public record Validity(@Nullable String whyInvalid, List<String> stands) {
    /** The maximum share of shed transactions in a valid run. */
    public static final double MAX_SHED = 0.001;

    /** The maximum share of lag in a figure of a valid run. */
    public static final double MAX_LAG = 0.1;

    /**
     * Lag that moves a percentile of the tail by no more than this does no harm: the scheduler of a quiet machine alone
     * delays one start in a hundred by as much.
     */
    public static final long TAIL_RESOLUTION_NANOS = 300_000;

    /** A valid run. */
    public static final Validity VALID = new Validity(null);

    private static final int[] PERCENTILES = {50, 90, 99};

    /** Half the width of the 95 % interval of a mean of ten, in standard errors: Student's t with 9 degrees of freedom. */
    private static final double OF_TEN_95 = 2.262;

    public Validity {
        stands = List.copyOf(stands);
    }

    /** A run that is right in all figures or in none. */
    public Validity(@Nullable String whyInvalid) {
        this(whyInvalid, List.of());
    }

    /** Whether the run is valid. */
    public boolean valid() {
        return whyInvalid == null;
    }

    /**
     * Checks a run by the shed transactions and the lag of its generator. Percentiles with too few samples are not
     * checked, as they are not reported.
     *
     * @param slices the figures of the response time in ten equal parts of the run, by key; empty if they are not known
     */
    public static Validity of(
            Counts counts, Latency response, Latency service, Latency lag, List<Map<String, Double>> slices) {
        if (counts.offered() == 0) {
            return new Validity("no transaction was due in the measured window: run for longer, or at a higher rate");
        }
        if (counts.shed() > MAX_SHED * counts.offered()) {
            return new Validity(String.format(
                    Locale.ROOT,
                    "the generator shed %,d of %,d transactions (%.2f %%, at most 0.1 %% is allowed) because its"
                            + " in-flight limit was reached: lower the rate or raise the limit",
                    counts.shed(),
                    counts.offered(),
                    100.0 * counts.shed() / counts.offered()));
        }
        return ofLag(figures(response, service, slices), lag);
    }

    private static Validity ofLag(List<Figure> figures, Latency lag) {
        List<Figure> moved = figures.stream().filter(Figure::isMoved).toList();
        List<Figure> right =
                figures.stream().filter(figure -> !figure.isMoved()).toList();
        if (moved.isEmpty()) {
            return VALID;
        }
        return new Validity(
                "the generator started transactions up to %s late (p99), which is %s (at most 10 %% is allowed)%s: %s"
                        .formatted(
                                Durations.format(lag.atPercentile(99)),
                                joined(moved, Figure::share),
                                right.isEmpty() ? "" : "; right all the same: " + joined(right, Figure::name),
                                remedy(lag)),
                right.stream().map(Figure::key).toList());
    }

    private static List<Figure> figures(Latency response, Latency service, List<Map<String, Double>> slices) {
        List<Figure> figures = new ArrayList<>();
        response.mean()
                .ifPresent(mean -> figures.add(new Figure(
                        "the mean",
                        mean,
                        service.mean().orElse(0),
                        Math.min(response.leastMean(), leastBySlices(mean, "mean_ms", slices)),
                        0)));
        for (int percent : PERCENTILES) {
            String name = "p" + percent;
            response.percentile(percent)
                    .ifPresent(time -> figures.add(new Figure(
                            name,
                            time,
                            service.atPercentile(percent),
                            Math.min(response.leastAtPercentile(percent), leastBySlices(time, name + "_ms", slices)),
                            percent > 50 ? TAIL_RESOLUTION_NANOS : 0)));
        }
        return figures;
    }

    /** The lower end of the 95 % interval of a figure of the whole run, from the differences between its slices. */
    private static long leastBySlices(long whole, String key, List<Map<String, Double>> slices) {
        double[] values = slices.stream()
                .map(slice -> slice.get(key))
                .filter(Objects::nonNull)
                .mapToDouble(millis -> millis * 1e6)
                .toArray();
        if (values.length < LoadRecorder.SLICES) {
            return whole;
        }
        double mean = DoubleStream.of(values).average().orElseThrow();
        double squares = DoubleStream.of(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return Math.round(whole - OF_TEN_95 * Math.sqrt(squares / (values.length - 1) / values.length));
    }

    private static String joined(List<Figure> figures, Function<Figure, String> text) {
        return figures.stream().map(text).collect(Collectors.joining(", "));
    }

    /** In a short run, the cold start alone can decide; a lower rate does not help then. */
    private static String remedy(Latency lag) {
        return lag.count() < Latency.samplesFor(99) ? "run for longer" : "lower the rate or give it more cores";
    }

    /**
     * A figure of the response time beside the same of the service time, in nanoseconds.
     *
     * @param least the lower end of the interval of the response time
     * @param harmless lag of at most this does no harm
     */
    private record Figure(String name, long response, long service, long least, long harmless) {
        boolean isMoved() {
            return lag() > MAX_LAG * response && lag() > harmless && service < least;
        }

        long lag() {
            return response - service;
        }

        String share() {
            return String.format(Locale.ROOT, "%.0f %% of %s", 100.0 * lag() / response, name);
        }

        String key() {
            return name.replace("the ", "") + "_ms";
        }
    }
}
