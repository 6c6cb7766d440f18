package dev.penstock.limit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What each constant of the limit is worth: the report {@code ablation.md}. Takes more than half an hour on one processor. */
@Tag("report")
@Timeout(value = 4, unit = TimeUnit.HOURS)
class AblationReportTest {
    private static final int SEEDS = Integer.getInteger("penstock.simulation.seeds", 2);
    private static final Path REPORT = Path.of("src/test/resources/dev/penstock/limit/simulate/ablation.md");
    private static final List<String> TYPES = List.of(
            "AdaptiveLimit",
            "ColdStart",
            "Elasticity",
            "PairSearch",
            "RateBound",
            "Refusals",
            "Times",
            "Turn",
            "TurnPair");
    /** Smaller differences of a row are noise, whatever its scatter. */
    private static final double LEAST = 0.01;

    @Test
    void writesWhatGetsWorseWithEachConstantHalvedAndDoubled(@TempDir Path work) throws Exception {
        Ablation ablation = new Ablation(Path.of("../core/src/main/java/dev/penstock/limit"), work);
        Map<String, double[]> best = Ablation.best(SEEDS);
        Map<String, double[]> base = shares(Ablation.measure(SEEDS), best);
        StringBuilder report = new StringBuilder(head(base));
        for (Ablation.Constant constant : ablation.constants(TYPES)) {
            String halved = compared(base, shares(ablation.rows(constant, constant.value() / 2, SEEDS), best));
            String doubled = compared(base, shares(ablation.rows(constant, constant.value() * 2, SEEDS), best));
            report.append("| `%s.%s` | %s | %s |%n".formatted(constant.type(), constant.name(), halved, doubled));
            Files.writeString(REPORT, report);
        }
        assertThat(REPORT).exists();
    }

    private static String head(Map<String, double[]> base) {
        return """
                # What each constant of the limit is worth

                Useful answers as a share of the best fixed limit, on %d rows of [curves.md](curves.md) and [report.md](report.md), one of each
                kind, %d seeds each. As it is their mean is %.3f. The table has, for each constant halved and doubled alone, the change of that
                mean, and the rows that change by more than noise (twice the standard error, and %.2f), the worst first.
                Made by `AblationReportTest`.

                | constant | halved | doubled |
                |---|---|---|
                """.formatted(base.size(), SEEDS, mean(base), LEAST);
    }

    private static Map<String, double[]> shares(Map<String, double[]> useful, Map<String, double[]> best) {
        Map<String, double[]> shares = new TreeMap<>();
        useful.forEach((row, ofSeeds) -> shares.put(
                row,
                IntStream.range(0, ofSeeds.length)
                        .mapToDouble(at -> ofSeeds[at] / of(best, row)[at])
                        .toArray()));
        return shares;
    }

    private static String compared(Map<String, double[]> base, Map<String, double[]> other) {
        String rows = base.keySet().stream()
                .filter(row -> Math.abs(change(base, other, row)) > noise(of(base, row), of(other, row)))
                .sorted((one, two) -> Double.compare(change(base, other, one), change(base, other, two)))
                .map(row -> String.format(Locale.ROOT, "%s %+.2f", row, change(base, other, row)))
                .collect(Collectors.joining(", "));
        return String.format(Locale.ROOT, "%+.3f%s", mean(other) - mean(base), rows.isEmpty() ? "" : ": " + rows);
    }

    private static double change(Map<String, double[]> base, Map<String, double[]> other, String row) {
        return mean(of(other, row)) - mean(of(base, row));
    }

    private static double[] of(Map<String, double[]> rows, String row) {
        return Objects.requireNonNull(rows.get(row));
    }

    private static double mean(Map<String, double[]> rows) {
        return rows.values().stream()
                .mapToDouble(AblationReportTest::mean)
                .average()
                .orElseThrow();
    }

    private static double mean(double... values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double noise(double[] one, double[] other) {
        return Math.max(LEAST, 2 * Math.sqrt(squaredError(one) + squaredError(other)));
    }

    private static double squaredError(double... values) {
        double mean = mean(values);
        return Arrays.stream(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / (values.length * (values.length - 1.0));
    }
}
