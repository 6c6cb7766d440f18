package dev.penstock.lab.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * An axis of a plot: the position of values, and its ticks. Immutable.
 *
 * @param low the value at its start
 * @param high the value at its end, above {@code low}
 * @param spread monotonic transformation of values to distances; the logarithm for a logarithmic axis
 * @param logarithmic whether the axis is logarithmic
 * @param ticks in ascending order, within the axis
 */
record Axis(double low, double high, DoubleUnaryOperator spread, boolean logarithmic, List<Tick> ticks) {
    /** Values that span a larger factor get a logarithmic axis. */
    private static final double WIDE = 12;

    /** When all values are within this share of the largest, the axis does not start at 0. */
    private static final double NARROW = 0.4;

    private static final double[] STEPS = {1, 2, 2.5, 5, 10};
    private static final double[] SECONDS = {
        0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 36000
    };
    private static final double[] PERCENTILES = {0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999};

    /**
     * A tick.
     *
     * @param value its position
     * @param label its text
     */
    record Tick(double value, String label) {}

    Axis {
        ticks = List.copyOf(ticks);
    }

    /** The position of a value as a share of the axis, 0 to 1; clamped to the axis. */
    double share(double value) {
        double from = spread.applyAsDouble(low);
        double share = (spread.applyAsDouble(value) - from) / (spread.applyAsDouble(high) - from);
        return Double.isNaN(share) ? 0 : Math.clamp(share, 0, 1);
    }

    /** From 0 to a round number not below {@code most}. */
    static Axis fromZero(double most) {
        return linear(0, most > 0 ? most : 1);
    }

    /**
     * An axis for values from {@code least} to {@code most}: logarithmic when they span a factor of more than 12,
     * without 0 when they are close together, from 0 otherwise.
     */
    static Axis fitting(double least, double most) {
        if (least > 0 && most / least > WIDE) {
            return logarithmic(least, most);
        }
        if (least > 0 && least >= NARROW * most) {
            double room = Math.max(most - least, 0.02 * most) * 0.12;
            return linear(least - room, most + room);
        }
        return fromZero(most);
    }

    /** Seconds from 0 to {@code most}. */
    static Axis seconds(double most) {
        double end = most > 0 ? most : 1;
        double step = SECONDS[SECONDS.length - 1];
        for (int i = SECONDS.length - 1; i >= 0 && end / SECONDS[i] <= 8; i--) {
            step = SECONDS[i];
        }
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i * step <= end * 1.000001; i++) {
            ticks.add(new Tick(i * step, time(i * step, step)));
        }
        return new Axis(0, end, DoubleUnaryOperator.identity(), false, ticks);
    }

    /** Percentiles up to this one, below 100; each decade towards 100 has the same length. */
    static Axis percentiles(double most) {
        List<Tick> ticks = new ArrayList<>();
        for (double percent : PERCENTILES) {
            if (percent <= most) {
                ticks.add(new Tick(percent, plain(percent)));
            }
        }
        return new Axis(0, Math.max(most, 50), Axis::tail, false, ticks);
    }

    /** Positions by distance from 100: 90, 99 and 99.9 are equally far from each other. */
    private static double tail(double percent) {
        return -Math.log10(1 - percent / 100);
    }

    private static Axis linear(double least, double most) {
        double step = step((most - least) / 5);
        double low = Math.max(Math.floor(least / step + 1e-9) * step, least >= 0 ? 0 : Double.NEGATIVE_INFINITY);
        double high = Math.ceil(most / step - 1e-9) * step;
        List<Tick> ticks = new ArrayList<>();
        for (long i = Math.round(low / step); i <= Math.round(high / step); i++) {
            ticks.add(new Tick(i * step, PageNumbers.tick(i * step, step)));
        }
        return new Axis(low, high, DoubleUnaryOperator.identity(), false, ticks);
    }

    private static Axis logarithmic(double least, double most) {
        double low = least / 1.1;
        double high = most * 1.1;
        int decades = (int) (Math.ceil(Math.log10(high)) - Math.floor(Math.log10(low)));
        double[] digits = decades <= 3 ? new double[] {1, 2, 5} : new double[] {1};
        int stride = Math.max(1, (decades + 6) / 7);
        List<Tick> ticks = new ArrayList<>();
        for (int power = (int) Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
            for (double digit : digits) {
                double value = digit * Math.pow(10, power);
                if (value >= low && value <= high && Math.floorMod(power, stride) == 0) {
                    ticks.add(new Tick(value, PageNumbers.tick(value, Math.pow(10, power))));
                }
            }
        }
        return new Axis(low, high, Math::log, true, ticks);
    }

    private static double step(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        for (double step : STEPS) {
            if (rough <= step * power * 1.000001) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static String time(double seconds, double step) {
        if (step >= 60) {
            return PageNumbers.tick(seconds / 60, step / 60) + " min";
        }
        return PageNumbers.tick(seconds, step) + " s";
    }

    private static String plain(double percent) {
        return percent == Math.rint(percent) ? String.valueOf((long) percent) : String.valueOf(percent);
    }
}
