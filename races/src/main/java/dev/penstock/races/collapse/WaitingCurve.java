package dev.penstock.races.collapse;

import dev.penstock.lab.report.Tradeoff;
import java.util.ArrayList;
import java.util.List;

/**
 * What waiting buys when requests come at random: a window that adds {@code window / 2} to each makes {@code 1 / (window + gap)}
 * calls a second, the gap being the mean time from one arrival to the next. Immutable.
 *
 * <h2>Design note</h2>
 *
 * <p>Batches of exactly n requests lie on it: the first waits for n - 1 gaps, the last for none, so each waits for (n - 1) gaps
 * / 2 in the mean, and there is a call every n gaps. A window that the first arrival opens and only time closes lies above it,
 * for its first request waits the whole window, the others half of it in the mean: at a window of w gaps by the factor (2 + w) /
 * (1 + w), which is a third at two gaps and 5 % at twenty. A timer that runs free of arrivals lies above it too, for many of its
 * batches are nearly empty when it ticks often.
 *
 * @param rate requests a second
 */
record WaitingCurve(double rate) {
    private static final int PLACES = 60;
    private static final double MS = 1_000;

    /** What each request waits on the curve, in ms, for so many calls a second; 0 where there is a call for each request. */
    double addedMillis(double callsPerSecond) {
        return Math.max(0, 1 / callsPerSecond - 1 / rate) / 2 * MS;
    }

    /** How many calls a second there are on the curve when each request waits so long. */
    double callsPerSecond(double addedMillis) {
        return 1 / (2 * addedMillis / MS + 1 / rate);
    }

    /** For a plot: from one call for each request to a hundred times fewer. */
    Tradeoff tradeoff() {
        List<Tradeoff.Place> places = new ArrayList<>();
        for (int i = PLACES; i >= 0; i--) {
            double calls = rate * Math.pow(0.002, (double) i / PLACES);
            places.add(new Tradeoff.Place(calls, addedMillis(calls)));
        }
        return new Tradeoff(
                "downstream_calls_per_s",
                "added_ms",
                List.of("curve_ms", "curve_ratio", "cpu_us_per_tx"),
                "the curve of theory: half a window added, 1 / (window + gap) calls/s",
                places);
    }
}
