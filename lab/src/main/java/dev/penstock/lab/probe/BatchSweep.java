package dev.penstock.lab.probe;

import dev.penstock.lab.probe.BatchFinding.Point;
import dev.penstock.lab.probe.fit.FixedAndEach;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds out whether many items in one call are cheaper than a call each: a size to call with comes out, how long it took goes in. It
 * calls nobody.
 *
 * <p>Sizes are 1, 2, 4 and so on, all of them in turn, several times over, so that a slow moment is in no single size; a size counts
 * by its median. Cost is taken to be a fixed part for each call and a part for each item. Batching pays when the fixed part is more
 * than the doubt about it. The best size is the one whose calls are nine tenths items: larger ones save less than a tenth more.
 *
 * <p>For one thread. All times are in seconds.
 */
final class BatchSweep {
    private static final int FEWEST_TIMES = 3;
    private static final int TIMES = 9;
    private static final int LARGEST = 1_024;

    /** A saving below this is not worth the waiting for others. */
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
     * A sweep.
     *
     * @param most items in a call; 1 or more
     */
    static BatchSweep upTo(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("a call carries 1 item or more, not " + most);
        }
        return new BatchSweep(most);
    }

    /**
     * The size to call with next.
     *
     * @param left seconds that are left; of those no size may take more than a third
     */
    Optional<Integer> next(double left) {
        for (; next < TIMES * sizes.size(); next++) {
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

    /** Tells how long a call of that size took. */
    void took(int size, double seconds) {
        times.computeIfAbsent(size, s -> new ArrayList<>()).add(seconds);
        next++;
    }

    /** Tells that a call of that size did not go well: no larger ones are tried. */
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

    /** What is known by now; empty when fewer than three sizes were called with often enough. */
    Optional<BatchFinding> finding() {
        List<Point> points = new ArrayList<>();
        times.forEach((size, took) -> {
            if (took.size() >= FEWEST_TIMES) {
                double median = median(took);
                points.add(new Point(size, 1e3 * median, 1e3 * median / size));
            }
        });
        if (points.size() < 3) {
            return Optional.empty();
        }
        FixedAndEach cost = FixedAndEach.fit(
                points.stream().mapToDouble(Point::items).toArray(),
                points.stream().mapToDouble(Point::callMillis).toArray());
        double alone = points.getFirst().perItemMillis();
        double saved =
                1 - points.stream().mapToDouble(Point::perItemMillis).min().orElse(alone) / alone;
        boolean pays = saved > WORTH && cost.fixed() > 2 * cost.doubt();
        int most = points.getLast().items();
        int best =
                pays ? (int) Math.clamp(Math.ceil(ALL_BUT * cost.fixed() / Math.max(cost.each(), 1e-9)), 2, most) : 1;
        return Optional.of(new BatchFinding(points, pays, best, words(points, cost, saved, pays, best)));
    }

    private static String words(List<Point> points, FixedAndEach cost, double saved, boolean pays, int best) {
        String parts = String.format(
                Locale.ROOT,
                "a call costs %.3g ms (give or take %.2g) and %.3g ms for each item",
                cost.fixed(),
                2 * cost.doubt(),
                cost.each());
        Point last = points.getLast();
        return pays
                ? String.format(
                        Locale.ROOT,
                        "%s: an item alone takes %.3g ms, one of %d takes %.3g ms; beyond %d little is saved",
                        parts,
                        points.getFirst().perItemMillis(),
                        last.items(),
                        last.perItemMillis(),
                        best)
                : String.format(Locale.ROOT, "%s: at the best %.0f %% is saved", parts, 100 * Math.max(0, saved));
    }
}
