package dev.penstock.lab.compare;

import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.Metric.Better;
import org.jspecify.annotations.Nullable;

/**
 * Turns a ratio with its interval into a verdict. Pure.
 *
 * <p>FASTER and SLOWER take both: an interval wholly on one side of 1 (so the difference is none of chance) and a ratio
 * beyond the margin (so the difference matters on this machine). SAME takes an interval wholly within the margin: that
 * nothing was seen is not enough. Everything else is INCONCLUSIVE. With many metrics judged, about one in twenty without
 * any difference has an interval beside 1; the margin takes most of those away.
 */
public final class VerdictRule {
    /** With fewer blocks nothing is judged: no rank test of 5 pairs or fewer could ever reach 5 % (Wilcoxon, two-sided). */
    public static final int LEAST_SAMPLES = 6;

    /** Differences within 3 % are none that matters, however sure they are. */
    public static final double LEAST_MARGIN = 0.03;

    private VerdictRule() {}

    /** Whether verdicts are possible on a metric at all: one of its ways is better. */
    public static boolean judges(Metric metric) {
        return metric.better() != Better.NEITHER;
    }

    /**
     * The share that two results have to be apart by to differ: 3 %, or the noise of the machine where that is more.
     *
     * @param noisePercent from {@link Noise}; null when it was not measured
     */
    public static double margin(@Nullable Double noisePercent) {
        return noisePercent == null ? LEAST_MARGIN : Math.max(LEAST_MARGIN, noisePercent / 100);
    }

    /**
     * The verdict on ours.
     *
     * @param metric what was compared
     * @param ratio ours / other
     * @param margin the share that counts as no difference, 0 or more; see {@link #margin}
     * @throws IllegalArgumentException when neither way of the metric is better, see {@link #judges}
     */
    public static Verdict verdict(Metric metric, Ratio ratio, double margin) {
        if (!judges(metric)) {
            throw new IllegalArgumentException(metric.key() + " only describes: neither more nor less of it is better");
        }
        if (ratio.samples() < LEAST_SAMPLES) {
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
