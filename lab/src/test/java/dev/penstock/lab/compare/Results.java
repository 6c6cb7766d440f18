package dev.penstock.lab.compare;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.ResultFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Result files for tests. */
public final class Results {
    public static final Machine MACHINE = new Machine(2, 8_000, "Linux 6", "25.0.1");

    private Results() {}

    /** Metrics of one block that satisfy every invariant. */
    public static Map<String, Double> block(double tps, double ms) {
        Map<String, Double> block = new LinkedHashMap<>();
        block.put("count", 10 * tps);
        block.put("tps", tps);
        block.put("mean_ms", ms * 1.1);
        block.put("p50_ms", ms);
        block.put("p99_ms", ms * 2);
        block.put("errors", 0.0);
        return block;
    }

    /** Blocks or parts that differ a little, at most by this share either way. */
    public static List<Map<String, Double>> blocks(int count, double tps, double ms, double spread) {
        return IntStream.range(0, count)
                .mapToObj(i -> 1 + spread * (2.0 * i / (count - 1) - 1))
                .map(factor -> block(tps * factor, ms / factor))
                .toList();
    }

    /** A load with one block. */
    public static ResultFile load(String name, Map<String, Double> block) {
        return load(name, List.of(block), List.of());
    }

    /** A load with these blocks and parts. */
    public static ResultFile load(String name, List<Map<String, Double>> blocks, List<Map<String, Double>> parts) {
        Contestant contestant = Contestant.of(name, Role.OURS, Map.of("load", "open load, 200/s for 10 s"), blocks)
                .sliced(parts);
        return new ResultFile(
                "load",
                "1.0",
                "penstock load",
                1,
                true,
                null,
                List.of(),
                MACHINE,
                null,
                List.of(),
                List.of(contestant),
                List.of());
    }

    /** A race with one course, run, and its noise in percent of {@code p50_ms}. */
    public static ResultFile race(double noise, Contestant... contestants) {
        CourseNote note = new CourseNote(
                "run",
                "200/s for 10 s",
                6,
                List.of("p50_ms", "tps"),
                List.of("tps", "p50_ms"),
                Map.of("p50_ms", noise),
                List.of(),
                null,
                List.of(),
                null,
                null);
        return new ResultFile(
                "pool",
                "1.0",
                "penstock race pool",
                1,
                true,
                null,
                List.of(),
                MACHINE,
                null,
                List.of(note),
                List.of(contestants),
                List.of());
    }

    /** A contestant of the course run. */
    public static Contestant contestant(String name, List<Map<String, Double>> blocks) {
        return Contestant.of(name, Role.PEER, Map.of("pool", "400"), blocks).in("run");
    }

    /** The same file, measured elsewhere. */
    public static ResultFile elsewhere(ResultFile file, String version, long seed, Machine machine) {
        return new ResultFile(
                file.experiment(),
                version,
                file.command(),
                seed,
                file.valid(),
                file.whyInvalid(),
                List.of(),
                machine,
                file.aaNoisePercent(),
                file.courses(),
                file.contestants(),
                file.verdicts());
    }

    /** The same file, invalid. */
    public static ResultFile invalid(ResultFile file, String why) {
        return new ResultFile(
                file.experiment(),
                file.version(),
                file.command(),
                file.seed(),
                false,
                why,
                List.of(),
                file.machine(),
                file.aaNoisePercent(),
                file.courses(),
                file.contestants(),
                file.verdicts());
    }
}
