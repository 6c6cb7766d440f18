package dev.penstock.lab.measure;

import dev.penstock.lab.measure.LoadRecorder.Starts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * A snapshot of a recorder. Immutable.
 *
 * @param counts the window's transactions by ending; during a load, {@code lost} are those in flight
 * @param tps correct answers per second that arrived within the window; 0 for a window of length 0
 * @param response from the intended start to the right answer; those that never came count with the time waited for them
 * @param failures from the intended start to an ending that is neither a right answer nor the end of a wait for one
 * @param service from the actual start, of the transactions of {@code response}
 * @param lag from the intended to the actual start
 * @param ended all ended transactions, including the warm-up
 * @param windowSeconds length of the window in seconds
 * @param slices the metrics of equal parts of the window; empty during a load, and for a window with an open end
 * @param labels the metrics of the transactions of each label, in order; empty during a load, and without labels
 */
public record Recorded(
        Counts counts,
        double tps,
        Latency response,
        Latency failures,
        Latency service,
        Latency lag,
        long ended,
        double windowSeconds,
        List<Map<String, Double>> slices,
        Map<String, Map<String, Double>> labels) {
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
                counts,
                rate(whole.rightArrived, windowSeconds),
                new Latency(whole.response, whole.leastUnanswered),
                new Latency(sum.failures),
                new Latency(sum.service),
                new Latency(sum.lag),
                sum.ended,
                windowSeconds,
                List.copyOf(slices),
                Collections.unmodifiableMap(byLabel));
    }

    private static Map<String, Double> figures(SliceTally part, long started, long shed, double seconds) {
        Counts counts = Counts.of(started, shed, part.outcomes);
        return LoadResult.figures(
                counts, rate(part.rightArrived, seconds), new Latency(part.response, part.leastUnanswered));
    }

    private static double rate(long count, double seconds) {
        return seconds == 0 ? 0 : count / seconds;
    }
}
