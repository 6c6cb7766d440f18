package dev.penstock.lab.measure;

import dev.penstock.Durations;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run measured the service rather than the generator. A run is INVALID when the generator shed more than 0.1
 * % of its transactions, or its lag at the 99th percentile exceeds 10 % of the median response time.
 *
 * @param whyInvalid one sentence with its numbers; null when valid
 */
public record Validity(@Nullable String whyInvalid) {
    /** The maximum share of shed transactions in a valid run. */
    public static final double MAX_SHED = 0.001;

    /** The maximum lag in a valid run, as a share of the median response time. */
    public static final double MAX_LAG = 0.1;

    /** A valid run. */
    public static final Validity VALID = new Validity(null);

    /** Whether the run is valid. */
    public boolean valid() {
        return whyInvalid == null;
    }

    /**
     * Checks a run by the shed transactions and the lag of its generator. With fewer than 299 transactions the maximum
     * lag is used instead of the 99th percentile.
     */
    public static Validity of(Counts counts, Latency response, Latency lag) {
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
        long late = lag.atPercentile(99);
        long median = response.atPercentile(50);
        if (late > MAX_LAG * median) {
            return new Validity(String.format(
                    Locale.ROOT,
                    "the generator started transactions up to %s late (p99), which is %.0f %% of the median response time of %s"
                            + " (at most 10 %% is allowed): %s",
                    Durations.format(late),
                    100.0 * late / median,
                    Durations.format(median),
                    remedy(lag)));
        }
        return VALID;
    }

    /** In a short run, the cold start alone can decide; a lower rate does not help then. */
    private static String remedy(Latency lag) {
        return lag.count() < Latency.samplesFor(99)
                ? "run for longer, or exclude the start with a warm-up"
                : "lower the rate or give it more cores";
    }
}
