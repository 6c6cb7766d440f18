package dev.penstock.lab.compare;

import dev.penstock.lab.compare.foreign.ForeignResult;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.Machine;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Differences between two results besides their metrics, and limits of the evidence; a sentence each. For one thread.
 */
final class ComparabilityWarnings {
    private static final String LOAD = "load";

    private final ResultFile a;
    private final ResultFile b;
    private final List<Pair> pairs;
    private final Set<String> list = new LinkedHashSet<>();

    ComparabilityWarnings(ResultFile a, ResultFile b, List<Pair> pairs) {
        this.a = a;
        this.b = b;
        this.pairs = pairs;
    }

    List<String> list() {
        invalid("A", a);
        invalid("B", b);
        pairs.stream().filter(pair -> !pair.isLabel()).forEach(this::covered);
        evidence();
        generators();
        String other = otherLoad(a, b, pairs);
        if (other != null) {
            list.add(other + ": the difference may be caused by the load");
        }
        if (ForeignResult.generator(a) == null && ForeignResult.generator(b) == null) {
            surroundings();
        }
        onlyInOne();
        pairs.forEach(this::settings);
        return new ArrayList<>(list);
    }

    /** One sentence when the two loads differ; null when they are equal or unknown. */
    static @Nullable String otherLoad(ResultFile a, ResultFile b, List<Pair> pairs) {
        for (Pair pair : pairs) {
            String ofA = pair.a().settings().get(LOAD);
            String ofB = pair.b().settings().get(LOAD);
            if (ofA != null && ofB != null && !ofA.equals(ofB)) {
                return "A ran \"" + ofA + "\" and B \"" + ofB + "\"";
            }
        }
        for (CourseNote ofA : a.courses()) {
            for (CourseNote ofB : b.courses()) {
                if (ofA.name().equals(ofB.name()) && !ofA.workload().equals(ofB.workload())) {
                    return "in the course " + ofA.name() + " A ran \"" + ofA.workload() + "\" and B \"" + ofB.workload()
                            + "\"";
                }
            }
        }
        return null;
    }

    private void invalid(String which, ResultFile file) {
        if (!file.valid()) {
            List<String> right = ResultComparison.rightInBoth(a, b).stream()
                    .map(key -> Metric.of(key).title())
                    .toList();
            list.add(which + " is INVALID, so there are "
                    + (right.isEmpty() ? "no verdicts" : "verdicts by " + String.join(", ", right) + " only") + ": "
                    + file.whyInvalid());
        }
    }

    private void covered(Pair pair) {
        covered("A", pair.a());
        covered("B", pair.b());
    }

    private void covered(String which, Contestant contestant) {
        List<String> parts = new ArrayList<>();
        count(contestant, "unanswered", " transactions never answered count as the time they waited (>=)", parts);
        count(contestant, "failures", " failures are not in its times", parts);
        String other = contestant.settings().get(ForeignResult.COVERS);
        if (other != null) {
            parts.add("its times are of " + other);
        }
        if (!parts.isEmpty()) {
            list.add((contestant.course() == null
                            ? which
                            : which + " in " + contestant.course() + " / " + contestant.name())
                    + ": " + String.join(", ", parts));
        }
    }

    private static void count(Contestant contestant, String key, String text, List<String> parts) {
        double sum = contestant.blocks().stream()
                .mapToDouble(block -> block.getOrDefault(key, 0.0))
                .sum();
        if (sum > 0) {
            parts.add(Figures.count(Math.round(sum)) + text);
        }
    }

    private void evidence() {
        int runs = pairs.stream().mapToInt(Pair::runs).min().orElse(VerdictRule.MIN_SAMPLES);
        if (runs >= VerdictRule.MIN_SAMPLES) {
            return;
        }
        String few = runs == 1
                ? "with one run a difference can be shown but not proven (two runs of the same system often differ by "
                        + Math.round(100 * (Ratio.BETWEEN_RUNS - 1)) + " %)"
                : "with " + runs + " runs a difference cannot be proven";
        list.add(few + ": "
                + (b.courses().isEmpty()
                        ? "run each " + VerdictRule.MIN_SAMPLES + " times, alternating, and then: penstock compare "
                                + files("a") + " " + files("b")
                        : "run the race with " + VerdictRule.MIN_SAMPLES + " rounds or more"));
    }

    private static String files(String name) {
        return IntStream.rangeClosed(1, VerdictRule.MIN_SAMPLES)
                .mapToObj(run -> name + run + ".json")
                .collect(Collectors.joining(","));
    }

    private void generators() {
        String ofA = ForeignResult.generator(a);
        String ofB = ForeignResult.generator(b);
        if (Objects.equals(ofA, ofB)) {
            return;
        }
        String names =
                "A is from " + (ofA == null ? "Penstock" : ofA) + " and B from " + (ofB == null ? "Penstock" : ofB);
        list.add(
                ofA != null && ofB != null
                        ? names + ": they may define a transaction or an error differently"
                        : names + ": only Penstock measures from the intended start; the other measures from the"
                                + " actual send, which hides waiting time while the service stalls (coordinated omission)");
    }

    private void surroundings() {
        Machine one = a.machine();
        Machine other = b.machine();
        List<String> differences = new ArrayList<>();
        differ(differences, "cores", one, other, Machine::cores);
        differ(differences, "MB of memory", one, other, Machine::memoryMb);
        differ(differences, "kernel", one, other, Machine::kernel);
        if (!differences.isEmpty()) {
            list.add("the machines differ, which may cause part of the difference: " + String.join(", ", differences));
        }
        if (!one.jdk().equals(other.jdk())) {
            list.add("A ran on JDK " + one.jdk() + " and B on JDK " + other.jdk());
        }
        if (!a.version().equals(b.version())) {
            list.add("A is from Penstock " + a.version() + " and B from Penstock " + b.version());
        }
        if (a.seed() != b.seed()) {
            list.add("A used seed " + a.seed() + " and B " + b.seed() + ": they sent different requests");
        }
    }

    private static void differ(
            List<String> differences, String what, Machine a, Machine b, Function<Machine, Object> field) {
        Object ofA = field.apply(a);
        Object ofB = field.apply(b);
        if (!ofA.equals(ofB)) {
            differences.add(what + " " + ofA + " in A and " + ofB + " in B");
        }
    }

    private void onlyInOne() {
        only("A", a, pairs.stream().map(Pair::a).toList());
        only("B", b, pairs.stream().map(Pair::b).toList());
    }

    private void only(String which, ResultFile file, List<Contestant> paired) {
        List<String> names = file.contestants().stream()
                .filter(contestant -> !paired.contains(contestant))
                .map(contestant -> (contestant.course() == null ? "" : contestant.course() + " / ") + contestant.name())
                .toList();
        if (!names.isEmpty()) {
            list.add("only in " + which + ": " + String.join(", ", names));
        }
    }

    private void settings(Pair pair) {
        if (!pair.a().name().equals(pair.b().name())) {
            list.add("A is " + pair.a().name() + " and B is " + pair.b().name());
        }
        if (ForeignResult.generator(a) != null || ForeignResult.generator(b) != null) {
            return;
        }
        Map<String, String> ofA = pair.a().settings();
        Map<String, String> ofB = pair.b().settings();
        Set<String> keys = new TreeSet<>(ofA.keySet());
        keys.addAll(ofB.keySet());
        keys.remove(LOAD);
        String differences = keys.stream()
                .filter(key -> !Objects.equals(ofA.get(key), ofB.get(key)))
                .map(key -> key + " " + ofA.getOrDefault(key, "absent") + " in A and " + ofB.getOrDefault(key, "absent")
                        + " in B")
                .collect(Collectors.joining(", "));
        if (!differences.isEmpty()) {
            list.add(pair.title() + " has different settings: " + differences);
        }
    }
}
