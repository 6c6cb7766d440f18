package dev.penstock.lab.compare;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The same contestant in two result files.
 *
 * @param a in the reference
 * @param b in the other file
 */
record Pair(Contestant a, Contestant b) {
    /** The kind of samples of a comparison. */
    enum Evidence {
        /** Whole blocks, each started separately. */
        BLOCKS,
        /** The slices of one block each. */
        PARTS,
        /** One block each without slices. */
        SINGLE
    }

    /** Matches contestants by course and name. Two files with one contestant each always match. */
    static List<Pair> of(ResultFile a, ResultFile b) {
        List<Pair> pairs = new ArrayList<>();
        if (isSingle(a) && isSingle(b)) {
            pairs.add(new Pair(a.contestants().getFirst(), b.contestants().getFirst()));
            return pairs;
        }
        for (Contestant one : a.contestants()) {
            b.contestants().stream()
                    .filter(other -> isSame(one, other))
                    .findFirst()
                    .ifPresent(other -> pairs.add(new Pair(one, other)));
        }
        return pairs;
    }

    private static boolean isSingle(ResultFile file) {
        return file.courses().isEmpty() && file.contestants().size() == 1;
    }

    private static boolean isSame(Contestant a, Contestant b) {
        return a.name().equals(b.name()) && Objects.equals(a.course(), b.course());
    }

    @Nullable
    String course() {
        return a.course();
    }

    /** Its title. */
    String title() {
        return (a.course() == null ? "" : a.course() + " / ") + a.name();
    }

    Evidence evidence() {
        if (a.blocks().size() > 1 || b.blocks().size() > 1) {
            return Evidence.BLOCKS;
        }
        return a.slices().isEmpty() || b.slices().isEmpty() ? Evidence.SINGLE : Evidence.PARTS;
    }

    /** B / A by one metric; empty when one of the two does not have it. */
    Optional<Ratio> ratio(String key, boolean count) {
        if (evidence() == Evidence.PARTS) {
            Optional<Ratio> ofParts = ratio(b.slices(), a.slices(), key, count);
            if (ofParts.filter(ratio -> ratio.samples() > 1).isPresent()) {
                return ofParts;
            }
        }
        return ratio(b.blocks(), a.blocks(), key, count);
    }

    private static Optional<Ratio> ratio(
            List<Map<String, Double>> ours, List<Map<String, Double>> other, String key, boolean count) {
        return Ratio.unpaired(values(ours, key), values(other, key), count);
    }

    private static List<Double> values(List<Map<String, Double>> parts, String key) {
        List<Double> values = new ArrayList<>();
        for (Map<String, Double> part : parts) {
            Double value = part.get(key);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }
}
