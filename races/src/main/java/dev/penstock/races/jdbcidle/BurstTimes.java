package dev.penstock.races.jdbcidle;

import dev.penstock.lab.measure.Latency;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The durations of the transactions of one or several bursts.
 *
 * @param nanos of each, from its intended start
 * @param errors the number of failed ones
 */
record BurstTimes(List<Long> nanos, int errors) {
    private static final double MS = 1e6;
    private static final long SLOW_MS = 100;

    BurstTimes {
        nanos = List.copyOf(nanos);
    }

    static BurstTimes of(List<BurstTimes> bursts) {
        return new BurstTimes(
                bursts.stream().flatMap(burst -> burst.nanos.stream()).toList(),
                bursts.stream().mapToInt(BurstTimes::errors).sum());
    }

    double worstMillis() {
        return nanos.stream().mapToLong(Long::longValue).max().orElse(0) / MS;
    }

    double slow() {
        return nanos.stream().filter(time -> time > SLOW_MS * MS).count();
    }

    /** Empty with too few samples. */
    OptionalDouble percentileMillis(double percent) {
        if (nanos.size() < Latency.samplesFor(percent)) {
            return OptionalDouble.empty();
        }
        int rank = (int) Math.ceil(percent / 100 * nanos.size());
        return OptionalDouble.of(nanos.stream().sorted().toList().get(rank - 1) / MS);
    }

    /**
     * The metrics of a block. {@code opening_worst_ms} is that of the first burst, which uses a new pool; {@code
     * first_worst_ms} of the second, the first one after connections died; {@code settled_} metrics cover the others.
     */
    static Map<String, Double> metrics(List<BurstTimes> bursts) {
        BurstTimes all = of(bursts.subList(1, bursts.size()));
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", (double) all.nanos.size());
        metrics.put("worst_ms", all.worstMillis());
        for (double percent : new double[] {50, 90, 99}) {
            all.percentileMillis(percent).ifPresent(millis -> metrics.put("p%.0f_ms".formatted(percent), millis));
        }
        metrics.put("errors", (double) all.errors);
        metrics.put("over_100ms", all.slow());
        metrics.put("opening_worst_ms", bursts.getFirst().worstMillis());
        metrics.put("first_worst_ms", bursts.get(1).worstMillis());
        metrics.put("settled_worst_ms", of(bursts.subList(2, bursts.size())).worstMillis());
        return metrics;
    }
}
