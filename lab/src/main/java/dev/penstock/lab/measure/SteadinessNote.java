package dev.penstock.lab.measure;

import dev.penstock.text.Durations;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Describes in one sentence that a load reached no steady state: its median response time or its throughput drifted.
 */
final class SteadinessNote {
    private SteadinessNote() {}

    /**
     * Checks the intervals of the measured window.
     *
     * @param intervals all intervals of a load
     * @param from start of the window, in nanoseconds since the start of the load
     * @param to its end
     * @param every length of an interval
     * @return one sentence with numbers and a remedy; null when steady, or too short to decide
     */
    static @Nullable String of(List<Interval> intervals, long from, long to, long every) {
        long late = every / 10; // samples are taken slightly late
        List<Interval> window = intervals.stream()
                .filter(interval -> interval.from() >= from - late && interval.to() <= to + late)
                .toList();
        String unsteady = sentence(
                window, Series.P50_MS, "the median response time", value -> Durations.format(Math.round(value * 1e6)));
        return unsteady != null
                ? unsteady
                : sentence(window, Series.TPS, "the throughput", value -> String.format(Locale.ROOT, "%,.1f/s", value));
    }

    private static @Nullable String sentence(
            List<Interval> window, Series series, String what, DoubleFunction<String> format) {
        List<Interval> known = window.stream()
                .filter(interval -> !Double.isNaN(interval.value(series)))
                .toList();
        SteadyState state = SteadyState.of(
                known.stream().mapToDouble(interval -> interval.value(series)).toArray());
        if (state.reached()) {
            return null;
        }
        long settled = known.get(state.settledAfter()).from() - known.getFirst().from();
        return String.format(
                Locale.ROOT,
                "no steady state was reached: %s changed from %s in the first half of the measured time to %s in the second,"
                        + " and settled no earlier than after %s: use a longer warm-up, or a longer run",
                what,
                format.apply(state.firstHalf()),
                format.apply(state.secondHalf()),
                Durations.format(settled));
    }
}
