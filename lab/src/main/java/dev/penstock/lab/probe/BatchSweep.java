package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Throttle;
import dev.penstock.lab.probe.BatchFinding.Point;
import dev.penstock.lab.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds out whether one call with many items costs less than one call per item. Input: the times of calls; output: the
 * size of the next call. {@link #measured} makes the calls.
 *
 * <p>Sizes are 1, 2, 4 and so on. All sizes are measured in turn, several times, so that a slow moment does not bias a
 * single size; each size counts by its median. The cost model is a fixed part per call plus a part per item. Batching
 * pays when the fixed part exceeds two standard errors. The best size is the one at which nine tenths of a call's time
 * are items: larger batches save less than another tenth.
 *
 * <p>For one thread. All times are in seconds.
 */
final class BatchSweep {
    private static final int FEWEST_TIMES = 3;
    private static final int TIMES = 9;
    private static final int LARGEST = 1_024;

    /** A smaller saving does not justify the wait for a batch to fill. */
    private static final double WORTH = 0.2;

    private static final double ALL_BUT = 9;

    private final List<Integer> sizes = new ArrayList<>();
    private final Map<Integer, List<Double>> times = new TreeMap<>();
    private int next;
    private int largest;

    private BatchSweep(int most) {
        largest = Math.min(most, LARGEST);
        for (int size = 1; size < largest; size *= 2) {
            sizes.add(size);
        }
        sizes.add(largest);
    }

    /**
     * A sweep of sizes.
     *
     * @param most maximum items per call; 1 or more
     */
    static BatchSweep upTo(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a call has 1 item or more, not " + most);
        }
        return new BatchSweep(most);
    }

    /**
     * Makes the calls until the sweep is complete or the clock reaches {@code until}.
     *
     * @param throttle limits the rate of calls, together with other measurements
     * @return empty when too few calls were answered
     */
    static Optional<BatchFinding> measured(ProbePeer.Batches port, Throttle throttle, Ticker ticker, long until)
            throws InterruptedException {
        BatchSweep sweep = upTo(port.most());
        for (Optional<Integer> next = sweep.next((until - ticker.nanos()) / 1e9);
                next.isPresent();
                next = sweep.next((until - ticker.nanos()) / 1e9)) {
            throttle.await(ticker);
            try {
                sweep.succeeded(next.get(), port.call(next.get()).toNanos() / 1e9);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                sweep.failed(next.get());
            }
        }
        return sweep.finding();
    }

    /**
     * The size of the next call.
     *
     * @param left remaining seconds; a call may take at most a third of them
     */
    Optional<Integer> next(double left) {
        for (; left > 0 && next < TIMES * sizes.size(); next++) {
            int size = sizes.get(next % sizes.size());
            if (size <= largest && expected(size) < left / 3) {
                return Optional.of(size);
            }
        }
        return Optional.empty();
    }

    private double expected(int size) {
        List<Double> known = times.get(size);
        List<Double> half = times.get(size / 2);
        return known != null ? median(known) : half == null ? 0 : 2 * median(half);
    }

    /** Records the time of a call of this size. */
    void succeeded(int size, double seconds) {
        times.computeIfAbsent(size, s -> new ArrayList<>()).add(seconds);
        next++;
    }

    /** Records a failed call of this size: no larger sizes are tried. */
    void failed(int size) {
        largest = Math.min(largest, size - 1);
        times.remove(size);
        next++;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int size = sorted.size();
        return (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    }

    /** The result so far; empty with fewer than three sizes that have enough calls. */
    Optional<BatchFinding> finding() {
        List<Point> points = new ArrayList<>();
        times.forEach((size, samples) -> {
            if (samples.size() >= FEWEST_TIMES) {
                double median = median(samples);
                points.add(new Point(size, 1e3 * median, 1e3 * median / size));
            }
        });
        if (points.size() < 3) {
            return Optional.empty();
        }
        Cost cost = Cost.fit(
                points.stream().mapToDouble(Point::items).toArray(),
                points.stream().mapToDouble(Point::callMillis).toArray());
        double alone = points.getFirst().perItemMillis();
        double saved =
                1 - points.stream().mapToDouble(Point::perItemMillis).min().orElse(alone) / alone;
        boolean pays = saved > WORTH && cost.fixed() > 2 * cost.standardError();
        int most = points.getLast().items();
        int best =
                pays ? (int) Math.clamp(Math.ceil(ALL_BUT * cost.fixed() / Math.max(cost.each(), 1e-9)), 2, most) : 1;
        return Optional.of(new BatchFinding(points, pays, best, reason(points, cost, saved, pays, best)));
    }

    private static String reason(List<Point> points, Cost cost, double saved, boolean pays, int best) {
        String parts = "a call costs %s ms (+/- %s) plus %s ms per item"
                .formatted(
                        Figures.number(cost.fixed()),
                        Figures.number(2 * cost.standardError()),
                        Figures.number(cost.each()));
        Point last = points.getLast();
        return pays
                ? "%s: an item takes %s ms alone, and in a batch of %,d %s ms; batches beyond %,d save little more"
                        .formatted(
                                parts,
                                Figures.number(points.getFirst().perItemMillis()),
                                last.items(),
                                Figures.number(last.perItemMillis()),
                                best)
                : String.format(Locale.ROOT, "%s: batching saves at most %.0f %%", parts, 100 * Math.max(0, saved));
    }

    /**
     * The cost of a call as a fixed part plus a part per item, {@code cost = fixed + each n}. Fitted by least squares of
     * relative errors, so that 1 % weighs the same for small and large calls. Neither part is negative.
     *
     * @param fixed cost of each call
     * @param each cost of each item
     * @param standardError standard error of the fixed part
     */
    record Cost(double fixed, double each, double standardError) {
        /**
         * Fits the model.
         *
         * @param items numbers of items, above 0; at least two different ones
         * @param costs the cost of a call with that many items; above 0
         */
        static Cost fit(double[] items, double[] costs) {
            double w = 0;
            double wx = 0;
            double wy = 0;
            double wxx = 0;
            double wxy = 0;
            for (int i = 0; i < items.length; i++) {
                double weight = 1 / (costs[i] * costs[i]);
                w += weight;
                wx += weight * items[i];
                wy += weight * costs[i];
                wxx += weight * items[i] * items[i];
                wxy += weight * items[i] * costs[i];
            }
            double apart = w * wxx - wx * wx;
            double each = (w * wxy - wx * wy) / apart;
            double fixed = (wy - each * wx) / w;
            if (fixed < 0) {
                fixed = 0;
                each = wxy / wxx;
            } else if (each < 0) {
                each = 0;
                fixed = wy / w;
            }
            double left = 0;
            for (int i = 0; i < items.length; i++) {
                double off = (costs[i] - fixed - each * items[i]) / costs[i];
                left += off * off;
            }
            double noise = left / Math.max(1, items.length - 2);
            return new Cost(fixed, each, Math.sqrt(noise * wxx / apart));
        }
    }
}
