package dev.penstock.lab.measure;

import dev.penstock.Durations;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether a run tells something about the service, or only about the generator: one that shed more than 0.1 % of its
 * transactions, or lagged at its 99th percentile by more than 10 % of the median response, is INVALID.
 *
 * @param whyInvalid one sentence with its numbers; null when valid
 */
public record Validity(@Nullable String whyInvalid) {
    /** The share of transactions that a valid run sheds at most. */
    public static final double MOST_SHED = 0.001;

    /** The share of the median response that a valid run lags at most. */
    public static final double MOST_LAG = 0.1;

    /** A run that may be believed. */
    public static final Validity VALID = new Validity(null);

    /** Whether the run may be believed. */
    public boolean valid() {
        return whyInvalid == null;
    }

    /** Judges a run by what its generator shed and how it lagged. With fewer than 299 transactions the largest lag stands in for the 99th percentile. */
    public static Validity of(Counts counts, Latency response, Latency lag) {
        if (counts.offered() == 0) {
            return new Validity("no transaction was due in the measured window: run for longer, or at a higher rate");
        }
        if (counts.shed() > MOST_SHED * counts.offered()) {
            return new Validity(String.format(
                    Locale.ROOT,
                    "the generator shed %,d of %,d transactions (%.2f %%, at most 0.1 %% is allowed) because its"
                            + " in-flight bound was reached: lower the rate or raise the bound",
                    counts.shed(),
                    counts.offered(),
                    100.0 * counts.shed() / counts.offered()));
        }
        long late = lag.atPercentile(99);
        long median = response.atPercentile(50);
        if (late > MOST_LAG * median) {
            return new Validity(String.format(
                    Locale.ROOT,
                    "the generator started transactions up to %s late (p99), which is %.0f %% of the median response of %s"
                            + " (at most 10 %% is allowed): %s",
                    Durations.words(late),
                    100.0 * late / median,
                    Durations.words(median),
                    remedy(lag)));
        }
        return VALID;
    }

    /** In a short run the start alone can decide, when everything is still cold: then a lower rate does not help. */
    private static String remedy(Latency lag) {
        return lag.count() < Latency.samplesFor(99)
                ? "run for longer, or leave the start out with a warm-up"
                : "lower the rate or give it more cores";
    }
}
