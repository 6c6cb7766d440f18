package dev.penstock.lab.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** What a recorder had gathered at some moment. Immutable. */
public final class Recorded {
    private final Counts counts;
    private final Latency response;
    private final Latency service;
    private final Latency lag;
    private final long ended;
    private final long rightInWindow;
    private final double windowSeconds;
    private final List<Map<String, Double>> slices;

    private Recorded(
            RecorderStripe sum, SliceTally whole, Counts counts, double windowSeconds, List<Map<String, Double>> slices) {
        this.counts = counts;
        this.response = new Latency(whole.response);
        this.service = new Latency(sum.service);
        this.lag = new Latency(sum.lag);
        this.ended = sum.ended;
        this.rightInWindow = whole.rightCame;
        this.windowSeconds = windowSeconds;
        this.slices = slices;
    }

    /** Takes a sum over, which nobody else may change from now on; one slice stands for the whole window. */
    static Recorded of(RecorderStripe sum, long[] started, long[] shed, double windowSeconds) {
        int parts = sum.slices.length;
        List<Map<String, Double>> slices = new ArrayList<>();
        SliceTally whole = parts == 1 ? sum.slices[0] : new SliceTally();
        for (int i = 0; parts > 1 && i < parts; i++) {
            SliceTally slice = sum.slices[i];
            whole.add(slice);
            Counts counts = Counts.of(started[i], shed[i], slice.outcomes);
            slices.add(LoadResult.figures(
                    counts, rate(slice.rightCame, windowSeconds / parts), new Latency(slice.response)));
        }
        Counts counts =
                Counts.of(LongStream.of(started).sum(), LongStream.of(shed).sum(), whole.outcomes);
        return new Recorded(sum, whole, counts, windowSeconds, List.copyOf(slices));
    }

    /** How the transactions of the window ended; while a load runs, {@code lost} is what is in flight. */
    public Counts counts() {
        return counts;
    }

    /** From the intended start to the end. */
    public Latency response() {
        return response;
    }

    /** From the actual start to the end. */
    public Latency service() {
        return service;
    }

    /** From the intended to the actual start. */
    public Latency lag() {
        return lag;
    }

    /** Transactions that ended at all, the warm-up's included. */
    public long ended() {
        return ended;
    }

    /** Length of the window in seconds. */
    public double windowSeconds() {
        return windowSeconds;
    }

    /** Right answers that came within the window, for each second of it; 0 for a window of no length. */
    public double tps() {
        return rate(rightInWindow, windowSeconds);
    }

    /** The window in equal parts, the figures of each; empty while a load runs, and for a window with an open end. */
    public List<Map<String, Double>> slices() {
        return slices;
    }

    private static double rate(long count, double seconds) {
        return seconds == 0 ? 0 : count / seconds;
    }
}
