package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramResult;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.report.AnswerCount;
import dev.penstock.text.Durations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of a load of any kind.
 *
 * @param load the result
 * @param metrics the metrics
 * @param notes additional remarks
 * @param answers HTTP answers by status code; empty for other targets
 * @param labels the metrics of the transactions of each label; empty without labels
 */
record LoadOutcome(
        LoadResult load,
        Map<String, Double> metrics,
        List<String> notes,
        List<AnswerCount> answers,
        Map<String, Map<String, Double>> labels) {
    /** A maximum of this many times the p99 is a stall. */
    private static final int STALL = 5;

    private static final long SHORTEST_STALL = 100_000_000;

    static LoadOutcome of(Load<?> load, LoadResult result, LoadTarget<?, ?> target) {
        List<Long> received = target.receivedBytes();
        Map<String, Map<String, Double>> labels = new LinkedHashMap<>();
        result.labels()
                .forEach((label, metrics) ->
                        labels.put(label, with(received.get(labels.size()), metrics, result.windowSeconds())));
        long all = received.stream().mapToLong(Long::longValue).sum();
        Map<String, Double> metrics = all == 0 ? result.metrics() : with(all, result.metrics(), result.windowSeconds());
        return new LoadOutcome(result, metrics, notes(load, result), target.answers(), labels);
    }

    private static Map<String, Double> with(long received, Map<String, Double> metrics, double seconds) {
        Map<String, Double> all = new LinkedHashMap<>(metrics);
        all.put("received_kb_per_s", received / 1024.0 / seconds);
        return all;
    }

    static List<String> notes(Load<?> load, LoadResult result) {
        return load instanceof ClosedLoad ? hiddenStall(result) : List.of();
    }

    /** Users of a closed load wait while the target stalls, so they count few of the calls that it delays. */
    private static List<String> hiddenStall(LoadResult result) {
        long max = result.response().max().orElse(0);
        long p99 = result.response().percentile(99).orElse(Long.MAX_VALUE);
        return max < SHORTEST_STALL || max / STALL < p99
                ? List.of()
                : List.of(
                        "a closed load hides stalls: during the %s of the longest answer its users sent nothing else, so p99 counts few of the calls that were delayed; --rate shows them"
                                .formatted(Durations.format(max)));
    }

    static LoadOutcome of(DatagramResult result) {
        return new LoadOutcome(result.load(), result.metrics(), result.notes(), List.of(), Map.of());
    }
}
