package dev.penstock.lab.page;

import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A race like one of HTTP clients against a target that closes connections: made up, but shaped as such races are. */
final class SampleRace {
    static final int INTERVALS = 60;

    private static final int ROUNDS = 8;
    private static final String[] CLOSINGS = {"fin", "rst", "header", "cut"};
    private static final List<Runner> RUNNERS = List.of(
            new Runner("socket-loop", Role.LIMIT, 0.0004, 60, 17000),
            new Runner("hc4-stale-check", Role.BEFORE, 0.004, 190, 9000),
            new Runner("hc4-validate-0", Role.AFTER, 0.011, 175, 10300),
            new Runner("hc4-validate-100", Role.AFTER, 0.006, 180, 10100),
            new Runner("hc4-validate-2000", Role.AFTER, 0.0092, 178, 10200),
            new Runner("payment-sdk", Role.AFTER, 0.0001, 900, 240),
            new Runner("hc5-classic", Role.PEER, 0.0061, 150, 11900),
            new Runner("hc5-async", Role.PEER, 0.0063, 170, 9900),
            new Runner("jetty", Role.PEER, 0.0014, 160, 10900),
            new Runner("jdk", Role.PEER, 0.0016, 230, 8100),
            new Runner("okhttp", Role.PEER, 0.0042, 165, 11100),
            new Runner("vertx", Role.PEER, 0.0027, 120, 13900),
            new Runner("netty", Role.PEER, 0.0008, 110, 12500),
            new Runner("penstock", Role.OURS, 0.00002, 75, 14100));

    private final Random random = new Random(7);

    private SampleRace() {}

    /** What a contestant is like: errors a transaction, CPU a transaction, and answers a second when nothing waits. */
    private record Runner(String name, Role role, double errors, double cpu, double speed) {}

    /** Two courses, 14 contestants each. */
    static ResultFile file() {
        SampleRace race = new SampleRace();
        List<Contestant> contestants = new ArrayList<>();
        for (Runner runner : RUNNERS) {
            contestants.add(race.closings(runner));
        }
        for (Runner runner : RUNNERS) {
            contestants.add(race.speed(runner));
        }
        List<Comparison> verdicts = new ArrayList<>();
        for (CourseNote note : notes()) {
            for (String metric : note.judged()) {
                verdicts.addAll(verdicts(note.name(), metric, contestants));
            }
        }
        return new ResultFile(
                "http-pool",
                "0.1.0-SNAPSHOT",
                "penstock race http-pool --seed 7 --html http-pool.html",
                7,
                true,
                null,
                List.of(),
                new Machine(2, 24_054, "Linux 6.1.0-18-amd64", "25.0.1+8-LTS"),
                2.1,
                notes(),
                contestants,
                verdicts);
    }

    /** The sample with twelve series of noise in each time line, with all digits that a double has. */
    static ResultFile noisy() {
        Random random = new Random(1);
        ResultFile file = file();
        List<Contestant> contestants = file.contestants().stream()
                .map(contestant -> contestant.drawn(contestant.percentiles(), noise(random)))
                .toList();
        return new ResultFile(
                file.experiment(),
                file.version(),
                file.command(),
                file.seed(),
                file.valid(),
                file.whyInvalid(),
                List.of(),
                file.machine(),
                file.aaNoisePercent(),
                file.courses(),
                contestants,
                file.verdicts());
    }

    private static TimeLine noise(Random random) {
        List<Double> at = seconds(1);
        Map<String, List<Double>> series = new LinkedHashMap<>();
        Stream.of(
                        "p50_ms",
                        "p99_ms",
                        "max_ms",
                        "tps",
                        "rate",
                        "errors",
                        "in_flight",
                        "cpu_percent",
                        "heap_mb",
                        "alloc_mb_per_s",
                        "gc_ms",
                        "lag_ms")
                .forEach(key -> series.put(
                        key, at.stream().map(x -> random.nextDouble() * 1_500).toList()));
        List<TimeLine.Fault> faults = List.of(new TimeLine.Fault("fin", 10, 11), new TimeLine.Fault("rst", 20, 21));
        return new TimeLine(5, at, series, faults, null);
    }

    private static List<CourseNote> notes() {
        return List.of(
                new CourseNote(
                        "closings",
                        "open load, 200/s evenly spaced for 60 s, 1,000 ms service; every 10 s all connections are closed for"
                                + " 1 s: fin, rst, header, cut in turn",
                        ROUNDS,
                        List.of("errors", "p99_ms", "cpu_us_per_tx", "tps"),
                        List.of(
                                "tps",
                                "p50_ms",
                                "p99_ms",
                                "p999_ms",
                                "max_ms",
                                "errors",
                                "duplicates",
                                "connections_opened",
                                "cpu_us_per_tx",
                                "heap_peak_mb"),
                        Map.of("p99_ms", 1.2, "cpu_us_per_tx", 4.4, "tps", 0.3, "errors", 12.0),
                        List.of("payment-sdk, round 3: no figures, its JVM ended with code 137 after 41 s"),
                        "penstock looks at a connection before it sends: 1 of 57,600 met a closing, 245 with the best peer",
                        List.of(),
                        null,
                        null),
                new CourseNote(
                        "speed",
                        "closed load, 64 callers without think time for 20 s, 0 ms service",
                        ROUNDS,
                        List.of("tps", "p99_ms", "cpu_us_per_tx"),
                        List.of("tps", "p50_ms", "p99_ms", "p999_ms", "errors", "cpu_us_per_tx", "alloc_kb_per_tx"),
                        Map.of("tps", 3.4, "p99_ms", 9.5, "cpu_us_per_tx", 2.8),
                        List.of(),
                        "a lease costs penstock 2 us of CPU less than vertx, and it parks no thread",
                        List.of(),
                        null,
                        null));
    }

    private Contestant closings(Runner runner) {
        List<Map<String, Double>> blocks = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            Map<String, Double> block = new LinkedHashMap<>();
            double errors = Math.max(0, Math.rint(12_000 * runner.errors * (1 + 0.2 * random.nextGaussian())));
            double slow = runner.name.equals("payment-sdk") ? 1006 : 2 + 40 * runner.errors * 100;
            block.put("count", 12_000.0);
            block.put("tps", 200 - errors / 60 + 0.05 * random.nextGaussian());
            block.put("p50_ms", 1001.2 + noise(0.1) + runner.cpu / 400);
            block.put("p99_ms", 1004 + slow * (1 + noise(0.05)) / 3);
            block.put("p999_ms", 1010 + 4 * slow * (1 + noise(0.05)));
            block.put("max_ms", 1040 + 9 * slow * (1 + Math.abs(noise(0.3))));
            block.put("errors", errors);
            block.put(
                    "duplicates",
                    runner.name.equals("payment-sdk") ? 600.0 : runner.name.equals("okhttp") ? 41.0 : 0.0);
            if (runner.role != Role.LIMIT) {
                block.put("connections_opened", Math.rint(1400 + 60 * noise(1) + 12_000 * runner.errors));
            }
            block.put("cpu_us_per_tx", runner.cpu * (1 + noise(0.03)));
            block.put("heap_peak_mb", 64 + runner.cpu * 0.5 * (1 + noise(0.1)));
            blocks.add(block);
        }
        Map<String, Double> curve = new LinkedHashMap<>();
        for (double percent : new double[] {1, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99}) {
            double tail = Math.pow(-Math.log10(1 - percent / 100), 2.2);
            curve.put("" + percent, 1001 + tail * (1 + runner.errors * 4000) + noise(0.2));
        }
        return Contestant.of(runner.name, runner.role, settings(runner), blocks)
                .in("closings")
                .drawn(curve, closingsLine(runner));
    }

    private TimeLine closingsLine(Runner runner) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        for (int second = 1; second <= INTERVALS; second++) {
            boolean closing = second % 10 == 1 && second > 5;
            boolean after = second % 10 == 2 && second > 5;
            double warm = Math.max(0, 5 - second);
            double lost = closing ? 200 * Math.min(1, runner.errors * 45) * (1 + noise(0.1)) : 0;
            put(series, "rate", 200.0);
            put(series, "tps", second == 1 ? 0 : 200 - (after ? lost : 0) + noise(0.4));
            put(series, "errors", Math.rint(lost));
            put(series, "p50_ms", second == 1 ? null : 1001.2 + warm * 2 + noise(0.15) + runner.cpu / 400);
            double p99 = 1003 + 14 * warm + runner.cpu / 90 + Math.abs(noise(1.5)) + (closing ? 3 + lost * 0.9 : 0);
            put(series, "p99_ms", second == 1 ? null : p99);
            put(series, "max_ms", second == 1 ? null : p99 + Math.abs(noise(6)) + (closing ? lost * 3 : 0));
            put(series, "lag_ms", 0.05 + Math.abs(noise(0.04)));
            put(series, "in_flight", 200 + Math.rint(noise(2)));
            put(series, "cpu_percent", runner.cpu * 200 / 10_000 * (1 + warm) + Math.abs(noise(0.2)));
            put(series, "alloc_mb_per_s", runner.cpu / 60 + Math.abs(noise(0.4)));
            put(series, "heap_mb", 20 + (second * runner.cpu / 55) % (28 + runner.cpu / 8));
            put(series, "gc_ms", (second * 7) % 19 < 1 + runner.cpu / 200 ? 2 + Math.abs(noise(1)) : 0.0);
        }
        List<TimeLine.Fault> faults = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            double from = 10 * (i + 1) + Math.abs(noise(0.01));
            faults.add(new TimeLine.Fault(CLOSINGS[i % CLOSINGS.length], from, from + 1));
        }
        String unsteady =
                runner.name.equals("hc5-async") ? "no steady state: p50 still fell by 1.8 % in the last third" : null;
        return new TimeLine(5, seconds(1), series, faults, unsteady);
    }

    private Contestant speed(Runner runner) {
        List<Map<String, Double>> blocks = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            double tps = runner.speed * (1 + noise(0.02));
            Map<String, Double> block = new LinkedHashMap<>();
            block.put("count", Math.rint(20 * tps));
            block.put("tps", tps);
            block.put("p50_ms", 56_000 / tps);
            block.put("p99_ms", 190_000 / tps * (1 + Math.abs(noise(0.05))));
            block.put("p999_ms", 420_000 / tps * (1 + Math.abs(noise(0.1))));
            block.put("errors", 0.0);
            block.put("cpu_us_per_tx", 1.5e6 / tps * (1 + noise(0.01)));
            if (runner.role != Role.AFTER) {
                block.put("alloc_kb_per_tx", runner.cpu / 9 * (1 + noise(0.01)));
            }
            block.put("downstream_calls_per_s", tps * (1 + runner.errors));
            blocks.add(block);
        }
        Map<String, Double> curve = new LinkedHashMap<>();
        for (double percent : new double[] {1, 10, 25, 50, 75, 90, 95, 97.5, 99, 99.5, 99.9, 99.95, 99.99, 99.999}) {
            double tail = 1 - Math.log10(1 - percent / 100);
            curve.put("" + percent, 30_000 / runner.speed * tail * tail);
        }
        return Contestant.of(runner.name, runner.role, settings(runner), blocks)
                .in("speed")
                .drawn(curve, speedLine(runner));
    }

    private TimeLine speedLine(Runner runner) {
        Map<String, List<Double>> series = new LinkedHashMap<>();
        for (int i = 1; i <= INTERVALS; i++) {
            double warm = Math.min(1, 0.3 + i / 15.0);
            double tps = runner.speed * warm * (1 + noise(0.015));
            put(series, "tps", tps);
            put(series, "p50_ms", 56_000 / tps);
            put(series, "p99_ms", 190_000 / tps * (1 + Math.abs(noise(0.1))));
            put(series, "max_ms", 700_000 / tps * (1 + Math.abs(noise(0.3))));
            put(series, "errors", 0.0);
            put(series, "cpu_percent", 150 + noise(4));
            put(series, "heap_mb", 30 + (i * runner.cpu / 11) % (60 + runner.cpu / 4));
            put(series, "alloc_mb_per_s", runner.speed * runner.cpu / 9000);
            put(series, "lag_ms", 0.0);
            put(series, "in_flight", 64.0);
            put(series, "threads", 12 + Math.rint(runner.cpu / 9));
            put(series, "quarks", 1.0);
        }
        return new TimeLine(6, seconds(1 / 3.0), series, List.of(), null);
    }

    private static List<Double> seconds(double each) {
        List<Double> at = new ArrayList<>();
        for (int i = 1; i <= INTERVALS; i++) {
            at.add(i * each);
        }
        return at;
    }

    private static Map<String, String> settings(Runner runner) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("threads", runner.role == Role.OURS ? "virtual" : "platform");
        if (runner.name.startsWith("hc4")) {
            settings.put("validate_after", runner.name.substring(runner.name.lastIndexOf('-') + 1));
        }
        return settings;
    }

    private static List<Comparison> verdicts(String course, String metric, List<Contestant> contestants) {
        List<Contestant> in =
                contestants.stream().filter(one -> course.equals(one.course())).toList();
        Contestant ours = in.getLast();
        List<Comparison> verdicts = new ArrayList<>();
        for (Contestant other : in.subList(0, in.size() - 1)) {
            verdicts.add(verdict(course, Metric.of(metric), ours, other));
        }
        return verdicts;
    }

    /** Simpler than how races compare, but alike: the mean of the logarithms' differences, and twice their error. */
    private static Comparison verdict(String course, Metric metric, Contestant ours, Contestant other) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < ROUNDS; i++) {
            double add = metric.count() ? 0.5 : 0;
            double log = Math.log(of(ours, i, metric) + add) - Math.log(of(other, i, metric) + add);
            sum += log;
            squares += log * log;
        }
        double mean = sum / ROUNDS;
        double error = 2.4 * Math.sqrt(Math.max(0, squares / ROUNDS - mean * mean) / (ROUNDS - 1));
        boolean lower = metric.better() == Metric.Better.LOWER;
        Verdict verdict = Math.abs(mean) + error < 0.03
                ? Verdict.SAME
                : Math.abs(mean) < error || Math.abs(mean) < 0.03
                        ? Verdict.INCONCLUSIVE
                        : mean < 0 == lower ? Verdict.FASTER : Verdict.SLOWER;
        return new Comparison(
                course,
                metric.key(),
                ours.name(),
                other.name(),
                Math.exp(mean),
                Math.exp(mean - error),
                Math.exp(mean + error),
                verdict);
    }

    private static double of(Contestant contestant, int block, Metric metric) {
        return Objects.requireNonNull(contestant.blocks().get(block).get(metric.key()));
    }

    private double noise(double size) {
        return size * random.nextGaussian();
    }

    /** Class files of records do not tell that a value may be null. */
    @SuppressWarnings("NullAway")
    private static void put(Map<String, List<Double>> series, String key, @Nullable Double value) {
        series.computeIfAbsent(key, k -> new ArrayList<>()).add(value);
    }
}
