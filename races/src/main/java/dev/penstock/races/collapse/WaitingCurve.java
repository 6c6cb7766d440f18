package dev.penstock.races.collapse;

import dev.penstock.lab.report.Tradeoff;
import java.util.ArrayList;
import java.util.List;

/**
 * The theoretical trade-off between waiting and calls with random arrivals: a window that adds {@code window /
 * 2} to each request makes {@code 1 / (window + gap)} calls per second, where gap is the mean time between
 * arrivals. Immutable.
 * <h2>Design note</h2>
 *
 * <p>Batches of exactly n requests lie on the curve: the first waits for n - 1 gaps, the last for none, so the mean
 * wait is (n - 1) gaps / 2, with a call every n gaps. A window opened by the first arrival and closed by time lies
 * above it, because its first request waits the whole window and the others half of it on average: with a window of w
 * gaps by the factor (2 + w) / (1 + w), which is a third at two gaps and 5 % at twenty. A timer independent of arrivals
 * lies above it too, because many batches are nearly empty when it ticks often.
 *
 * @param rate requests per second
 */
record WaitingCurve(double rate) {
    private static final int PLACES = 60;
    private static final double MS = 1_000;

    /** The added time per request in ms on the curve, for this many calls per second; 0 with one call per request. */
    double addedMillis(double callsPerSecond) {
        return Math.max(0, 1 / callsPerSecond - 1 / rate) / 2 * MS;
    }

    /** The calls per second on the curve for this added time. */
    double callsPerSecond(double addedMillis) {
        return 1 / (2 * addedMillis / MS + 1 / rate);
    }

    /** The curve for a plot: from one call per request to several hundred times fewer. */
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
                "theoretical curve: half a window added, 1 / (window + gap) calls/s",
                places);
    }
}
