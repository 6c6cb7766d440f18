package dev.penstock.lab.page;

import dev.penstock.lab.report.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * The axis of ratios: logarithmic, symmetric around 1, as wide as the intervals but at most from 1/20 to 20. Immutable.
 *
 * @param reach the logarithm of the ratio at its right end
 */
record RatioScale(double reach) {
    private static final double MIN = Math.log(1.12);
    private static final double MAX = Math.log(20);
    private static final double MARGIN = 1.08;

    /** The possible ticks to the right of 1. */
    private static final List<Double> TICKS = List.of(1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0);

    /** The minimum distance of two ticks, as a share of half the axis: room for their labels. */
    private static final double APART = 0.42;

    /** The scale that fits these intervals. */
    static RatioScale of(List<Comparison> verdicts) {
        double widest = verdicts.stream()
                .flatMapToDouble(verdict -> DoubleStream.of(verdict.low(), verdict.ratio(), verdict.high()))
                .filter(value -> value > 0 && value < Double.MAX_VALUE)
                .map(value -> Math.abs(Math.log(value)))
                .max()
                .orElse(MIN);
        return new RatioScale(Math.clamp(widest * MARGIN, MIN, MAX));
    }

    /** The position of a ratio as a share of the axis, 0 to 1. */
    double share(double ratio) {
        return Math.clamp((logarithm(ratio) + reach) / (2 * reach), 0, 1);
    }

    /** Whether a ratio lies beyond the left end. */
    boolean isBelow(double ratio) {
        return logarithm(ratio) < -reach;
    }

    /** Whether a ratio lies beyond the right end. */
    boolean isAbove(double ratio) {
        return logarithm(ratio) > reach;
    }

    /** The ticks including 1, in ascending order: the outermost that fits first, then one half way. */
    List<Double> ticks() {
        List<Double> right = new ArrayList<>();
        for (double tick : TICKS.reversed()) {
            double at = Math.log(tick) / reach;
            double before = right.isEmpty() ? 1 + APART : Math.log(right.getFirst()) / reach;
            if (at <= 0.95 && at >= APART && before - at >= APART) {
                right.addFirst(tick);
            }
        }
        List<Double> ticks = new ArrayList<>();
        right.reversed().forEach(tick -> ticks.add(1 / tick));
        ticks.add(1.0);
        ticks.addAll(right);
        return ticks;
    }

    /** The label of a tick; the inverse of a round number is rounded. */
    static String label(double tick) {
        String digits = String.format(Locale.ROOT, tick < 0.95 && tick > 0.11 ? "%.2f" : "%.3f", tick);
        return digits.replaceAll("0+$", "").replaceAll("\\.$", "") + "×";
    }

    private static double logarithm(double ratio) {
        return ratio <= 0 ? Double.NEGATIVE_INFINITY : Math.log(ratio);
    }
}
