package dev.penstock.lab.measure;

import dev.penstock.lab.measure.LoadRecorder.Starts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** A snapshot of a recorder. Immutable. */
public final class Recorded {
    private final Counts counts;
    private final Latency response;
    private final Latency failures;
    private final Latency service;
    private final Latency lag;
    private final long ended;
    private final long rightInWindow;
    private final double windowSeconds;
    private final List<Map<String, Double>> slices;
    private final Map<String, Map<String, Double>> labels;

    private Recorded(
            RecorderStripe sum,
            SliceTally whole,
            Counts counts,
            double windowSeconds,
            List<Map<String, Double>> slices,
            Map<String, Map<String, Double>> labels) {
        this.counts = counts;
        this.response = new Latency(whole.response, whole.leastUnanswered);
        this.failures = new Latency(sum.failures);
        this.service = new Latency(sum.service);
        this.lag = new Latency(sum.lag);
        this.ended = sum.ended;
        this.rightInWindow = whole.rightArrived;
        this.windowSeconds = windowSeconds;
        this.slices = slices;
        this.labels = labels;
    }

    /** Takes ownership of a sum; nobody else may change it afterwards. With one slice, that is the whole window. */
    static Recorded of(
            RecorderStripe sum,
            Starts started,
            Starts shed,
            double windowSeconds,
            List<String> labels,
            boolean sliced) {
        int parts = sum.slices.length;
        List<Map<String, Double>> slices = new ArrayList<>();
        SliceTally whole = parts == 1 ? sum.slices[0] : new SliceTally();
        for (int i = 0; parts > 1 && i < parts; i++) {
            SliceTally slice = sum.slices[i];
            whole.add(slice);
            if (sliced) {
                slices.add(figures(slice, started.bySlice()[i], shed.bySlice()[i], windowSeconds / parts));
            }
        }
        Map<String, Map<String, Double>> byLabel = new LinkedHashMap<>();
        for (int i = 0; i < labels.size(); i++) {
            byLabel.put(labels.get(i), figures(sum.labels[i], started.byLabel()[i], shed.byLabel()[i], windowSeconds));
        }
        Counts counts = Counts.of(
                LongStream.of(started.bySlice()).sum(),
                LongStream.of(shed.bySlice()).sum(),
                whole.outcomes);
        return new Recorded(
                sum, whole, counts, windowSeconds, List.copyOf(slices), Collections.unmodifiableMap(byLabel));
    }

    private static Map<String, Double> figures(SliceTally part, long started, long shed, double seconds) {
        Counts counts = Counts.of(started, shed, part.outcomes);
        return LoadResult.figures(
                counts, rate(part.rightArrived, seconds), new Latency(part.response, part.leastUnanswered));
    }

    /** The window's transactions by ending; during a load, {@code lost} are those in flight. */
    public Counts counts() {
        return counts;
    }

    /** From the intended start to the right answer; those that never came count with the time waited for them. */
    public Latency response() {
        return response;
    }

    /** From the intended start to an ending that is neither a right answer nor the end of a wait for one. */
    public Latency failures() {
        return failures;
    }

    /** From the actual start, of the transactions of {@link #response}. */
    public Latency service() {
        return service;
    }

    /** From the intended to the actual start. */
    public Latency lag() {
        return lag;
    }

    /** All ended transactions, including the warm-up. */
    public long ended() {
        return ended;
    }

    /** Length of the window in seconds. */
    public double windowSeconds() {
        return windowSeconds;
    }

    /** Correct answers per second that arrived within the window; 0 for a window of length 0. */
    public double tps() {
        return rate(rightInWindow, windowSeconds);
    }

    /** The metrics of equal parts of the window; empty during a load, and for a window with an open end. */
    public List<Map<String, Double>> slices() {
        return slices;
    }

    /** The metrics of the transactions of each label, in order; empty during a load, and without labels. */
    public Map<String, Map<String, Double>> labels() {
        return labels;
    }

    private static double rate(long count, double seconds) {
        return seconds == 0 ? 0 : count / seconds;
    }
}
