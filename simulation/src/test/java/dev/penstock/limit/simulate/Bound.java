package dev.penstock.limit.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * What our limit has to reach. All bounds are in the resource {@code bounds.csv}.
 *
 * @param row a curve; or a contestant, a slash and a scenario
 * @param figure what is bounded
 * @param least whether the bound is the least allowed; otherwise it is the most
 */
record Bound(String row, String figure, boolean least, double bound) {
    static final List<Bound> ALL = read();

    private static List<Bound> read() {
        try (InputStream csv = Objects.requireNonNull(Bound.class.getResourceAsStream("bounds.csv"))) {
            return new String(csv.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(","))
                    .map(cells -> new Bound(cells[0], cells[1], cells[2].equals(">="), Double.parseDouble(cells[3])))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bounds that a contestant misses on a curve. */
    static List<String> missed(Curve curve, Curve.Result result, int seeds) {
        return missed(curve.name(), figure -> switch (figure) {
            case "useful" -> result.useful();
            case "useful of fixed" -> result.useful() / curve.ofFixed(seeds).useful();
            case "p99 of fixed" -> result.p99() / curve.ofFixed(seeds).p99();
            case "limit" -> result.limit();
            case "limit at end" -> result.last();
            case "rejected" -> result.rejected();
            case "refused" -> result.refused();
            case "fairness" -> result.fairness();
            default -> throw new IllegalArgumentException(figure);
        });
    }

    /** The bounds that a contestant misses in a scenario. */
    static List<String> missed(String contestant, Score score) {
        return missed(contestant + "/" + score.scenario(), figure -> switch (figure) {
            case "whole" -> score.whole();
            case "steady" -> score.steady();
            default -> throw new IllegalArgumentException(figure);
        });
    }

    private static List<String> missed(String row, ToDoubleFunction<String> figures) {
        return ALL.stream()
                .filter(bound -> bound.row.equals(row))
                .map(bound -> bound.miss(figures.applyAsDouble(bound.figure)))
                .filter(miss -> !miss.isEmpty())
                .toList();
    }

    private String miss(double value) {
        return (least ? value >= bound : value <= bound)
                ? ""
                : String.format(Locale.ROOT, "%s: %s %.3f instead of %.3f", row, figure, value, bound);
    }
}
