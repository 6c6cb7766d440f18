package dev.penstock.lab.measure;

import dev.penstock.Durations;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** Says in one sentence that a load reached no steady state: neither its median response nor its rate of right answers may drift. */
final class SteadinessNote {
    private SteadinessNote() {}

    /**
     * Judges the intervals of the measured window.
     *
     * @param intervals all of a load
     * @param from where the window begins, in nanoseconds since the load did
     * @param to where it ends
     * @param every how long an interval is
     * @return one sentence with its numbers and what to do; null when steady, or too short to tell
     */
    static @Nullable String of(List<Interval> intervals, long from, long to, long every) {
        long late = every / 10; // whoever looks comes a little late
        List<Interval> window = intervals.stream()
                .filter(interval -> interval.from() >= from - late && interval.to() <= to + late)
                .toList();
        String unsteady = sentence(
                window, Series.P50_MS, "the median response", value -> Durations.words(Math.round(value * 1e6)));
        return unsteady != null
                ? unsteady
                : sentence(window, Series.TPS, "right answers", value -> String.format(Locale.ROOT, "%,.1f/s", value));
    }

    private static @Nullable String sentence(
            List<Interval> window, Series series, String what, DoubleFunction<String> words) {
        List<Interval> told = window.stream()
                .filter(interval -> !Double.isNaN(interval.value(series)))
                .toList();
        SteadyState state = SteadyState.of(
                told.stream().mapToDouble(interval -> interval.value(series)).toArray());
        if (state.reached()) {
            return null;
        }
        long settled = told.get(state.settledAfter()).from() - told.getFirst().from();
        return String.format(
                Locale.ROOT,
                "no steady state was reached: %s went from %s in the first half of the measured time to %s in the second,"
                        + " and had settled no earlier than %s into it: use a longer warm-up, or run for longer",
                what,
                words.apply(state.firstHalf()),
                words.apply(state.secondHalf()),
                Durations.words(settled));
    }
}
