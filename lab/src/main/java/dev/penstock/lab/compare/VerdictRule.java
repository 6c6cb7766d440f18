package dev.penstock.lab.compare;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.Metric.Better;
import org.jspecify.annotations.Nullable;

/**
 * Derives a verdict from a ratio and its confidence interval. Pure.
 *
 * <p>FASTER and SLOWER need both an interval entirely on one side of 1 (the difference is statistically significant)
 * and a ratio beyond the margin (the difference is relevant on this machine). SAME needs an interval entirely within
 * the margin: absence of a significant difference is not enough. Everything else is INCONCLUSIVE. Of many metrics
 * without a difference, about one in twenty has an interval beside 1; the margin removes most of those.
 */
public final class VerdictRule {
    /**
     * With fewer blocks there are no verdicts: no rank test of 5 pairs or fewer can reach 5 % significance
     * (Wilcoxon, two-sided).
     */
    public static final int MIN_SAMPLES = 6;

    /** Differences within 3 % are irrelevant, however significant. */
    public static final double MIN_MARGIN = 0.03;

    private VerdictRule() {}

    /** Whether a metric can have verdicts: one direction is better. */
    public static boolean judges(Metric metric) {
        return metric.better() != Better.NEITHER;
    }

    /**
     * The relative difference that counts: 3 %, or the machine's noise if that is larger.
     *
     * @param noisePercent from {@link Noise}; null when not measured
     */
    public static double margin(@Nullable Double noisePercent) {
        return noisePercent == null ? MIN_MARGIN : Math.max(MIN_MARGIN, noisePercent / 100);
    }

    /**
     * The verdict on ours.
     *
     * @param metric the compared metric
     * @param ratio ours / other
     * @param margin the relative difference that does not count, 0 or more; see {@link #margin}
     * @throws IllegalArgumentException when neither direction of the metric is better, see {@link #judges}
     */
    public static Verdict verdict(Metric metric, Ratio ratio, double margin) {
        if (!judges(metric)) {
            throw new IllegalArgumentException(metric.key() + " is descriptive: neither higher nor lower is better");
        }
        if (ratio.samples() < MIN_SAMPLES) {
            return Verdict.INCONCLUSIVE;
        }
        Ratio upIsBetter = metric.better() == Better.HIGHER ? ratio : ratio.inverse();
        double most = 1 + margin;
        if (upIsBetter.low() > 1 && upIsBetter.ratio() > most) {
            return Verdict.FASTER;
        }
        if (upIsBetter.high() < 1 && upIsBetter.ratio() < 1 / most) {
            return Verdict.SLOWER;
        }
        boolean within = upIsBetter.low() >= 1 / most && upIsBetter.high() <= most;
        return within ? Verdict.SAME : Verdict.INCONCLUSIVE;
    }
}
