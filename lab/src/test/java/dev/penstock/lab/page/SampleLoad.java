package dev.penstock.lab.page;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The load of one target: one contestant, one block in slices, no verdicts. */
final class SampleLoad {
    private SampleLoad() {}

    /** The file; {@code whyInvalid} is null for one that is valid. */
    static ResultFile file(String name, String command, @Nullable String whyInvalid) {
        Random random = new Random(3);
        Map<String, Double> block = block(random);
        List<Map<String, Double>> slices = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            slices.add(block(random));
        }
        Map<String, Double> curve = new LinkedHashMap<>();
        for (double percent : new double[] {1, 10, 50, 75, 90, 95, 99, 99.9}) {
            curve.put("" + percent, 20 + 8 * Math.pow(-Math.log10(1 - percent / 100), 1.8));
        }
        Contestant contestant = Contestant.of(name, Role.OURS, Map.of("load", "open load, 200/s"), List.of(block))
                .sliced(slices)
                .drawn(curve, line(random));
        return new ResultFile(
                "load",
                "0.1.0",
                command,
                3,
                whyInvalid == null,
                whyInvalid,
                List.of(),
                new Machine(2, 24_054, "Linux 6.1", "25.0.1"),
                null,
                List.of(),
                List.of(contestant),
                List.of());
    }

    private static Map<String, Double> block(Random random) {
        Map<String, Double> block = new LinkedHashMap<>();
        block.put("count", 6000.0);
        block.put("tps", 199.6 + 0.2 * random.nextGaussian());
        block.put("mean_ms", 23.4 + random.nextGaussian());
        block.put("p50_ms", 21.5 + random.nextGaussian());
        block.put("p90_ms", 28.3 + random.nextGaussian());
        block.put("p99_ms", 51.9 + 3 * random.nextGaussian());
        block.put("max_ms", 88.1 + 9 * Math.abs(random.nextGaussian()));
        block.put("errors", (double) random.nextInt(4));
        block.put("lost", 0.0);
        block.put("lag_p99_ms", 0.08);
        block.put("cpu_us_per_tx", 74.9);
        block.put("heap_peak_mb", 61.2);
        return block;
    }

    private static TimeLine line(Random random) {
        List<Double> at = new ArrayList<>();
        Map<String, List<Double>> series = new LinkedHashMap<>();
        for (int i = 1; i <= 30; i++) {
            at.add((double) i);
            put(series, "rate", 200.0);
            put(series, "tps", 199 + random.nextGaussian());
            put(series, "p50_ms", i == 20 ? null : 21 + random.nextGaussian());
            put(series, "p99_ms", i == 20 ? null : 50 + 4 * random.nextGaussian());
            put(series, "max_ms", i == 20 ? null : 80 + 15 * Math.abs(random.nextGaussian()));
            put(series, "errors", i % 9 == 0 ? 2.0 : 0.0);
            put(series, "cpu_percent", 14 + random.nextGaussian());
            put(series, "heap_mb", 20.0 + i % 8 * 5);
            put(series, "lag_ms", 0.05 + Math.abs(random.nextGaussian()) / 50);
        }
        return new TimeLine(0, at, series, List.of(new TimeLine.Fault("rst", 9, 10)), null);
    }

    /** Class files of records do not tell that a value may be null. */
    @SuppressWarnings("NullAway")
    private static void put(Map<String, List<Double>> series, String key, @Nullable Double value) {
        series.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    }
}
