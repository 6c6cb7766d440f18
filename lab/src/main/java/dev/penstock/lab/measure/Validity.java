package dev.penstock.lab.measure;

import dev.penstock.text.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run measured the service rather than the generator. A run is INVALID when the generator shed more than 0.1
 * % of its transactions, or when its lag makes up more than 10 % of the mean, p50, p90 or p99 of the response time: that
 * is how far the figure is above the same figure of the service time, which starts when the transaction really started.
 * Lag that moves no figure beyond its 95 % interval does no harm: another run would differ by as much. Nor does lag that
 * moves p90 or p99 by at most 0.3 ms, the resolution of the generator.
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
     */
    public static Validity of(Counts counts, Latency response, Latency service, Latency lag) {
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
        return ofLag(response, service, lag);
    }

    private static Validity ofLag(Latency response, Latency service, Latency lag) {
        List<String> moved = new ArrayList<>();
        List<String> right = new ArrayList<>();
        check("the mean", response.mean().orElse(0), service.mean().orElse(0), response.leastMean(), 0, moved, right);
        for (int percent : PERCENTILES) {
            response.percentile(percent)
                    .ifPresent(time -> check(
                            "p" + percent,
                            time,
                            service.atPercentile(percent),
                            response.leastAtPercentile(percent),
                            percent > 50 ? TAIL_RESOLUTION_NANOS : 0,
                            moved,
                            right));
        }
        if (moved.isEmpty()) {
            return VALID;
        }
        return new Validity(
                "the generator started transactions up to %s late (p99), which is %s (at most 10 %% is allowed)%s: %s"
                        .formatted(
                                Durations.format(lag.atPercentile(99)),
                                String.join(", ", moved),
                                right.isEmpty() ? "" : "; right all the same: " + String.join(", ", right),
                                remedy(lag)),
                right.stream().map(Validity::key).toList());
    }

    private static String key(String figure) {
        return figure.replace("the ", "") + "_ms";
    }

    /**
     * @param least the lower end of the interval of the response time
     * @param harmless lag of at most this does no harm
     */
    private static void check(
            String figure,
            long response,
            long service,
            long least,
            long harmless,
            List<String> moved,
            List<String> right) {
        long lag = response - service;
        double share = response == 0 ? 0 : lag / (double) response;
        if (share > MAX_LAG && lag > harmless && service < least) {
            moved.add(String.format(Locale.ROOT, "%.0f %% of %s", 100 * share, figure));
        } else {
            right.add(figure);
        }
    }

    /** In a short run, the cold start alone can decide; a lower rate does not help then. */
    private static String remedy(Latency lag) {
        return lag.count() < Latency.samplesFor(99) ? "run for longer" : "lower the rate or give it more cores";
    }
}
