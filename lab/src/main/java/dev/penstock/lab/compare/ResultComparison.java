package dev.penstock.lab.compare;

import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.ResultFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two results of the same experiment, contestant by contestant and metric by metric. A is the reference and B is judged: its
 * ratio is B / A, and FASTER says that B does better.
 *
 * <p>Nothing pairs the blocks of one file with those of another, so the ratio is {@link Ratio#unpaired}. Where each file has
 * one block, its parts of equal time stand in for blocks: they tell how much it varied within the run, and nothing of how
 * one run differs from the next, so the verdict is worth less and {@link #warnings} say so.
 *
 * <p>Immutable.
 */
public final class ResultComparison {
    /** How A is called before a contestant's name. */
    public static final String A = "A: ";

    /** How B is called before a contestant's name. */
    public static final String B = "B: ";

    private static final List<String> OF_A_LOAD =
            List.of("tps", "p50_ms", "p90_ms", "p95_ms", "p99_ms", "mean_ms", "errors", "cpu_us_per_tx");

    private final ResultFile a;
    private final ResultFile b;
    private final List<Pair> pairs;
    private final List<Comparison> verdicts;
    private final List<String> warnings;

    private ResultComparison(ResultFile a, ResultFile b) {
        this.a = a;
        this.b = b;
        pairs = Pair.of(a, b);
        verdicts = pairs.stream().flatMap(this::compare).toList();
        warnings = new ComparabilityWarnings(a, b, pairs, verdicts).list();
    }

    /**
     * Compares two results.
     *
     * @param a the reference
     * @param b what is judged
     * @param anyway whether different loads are compared too
     * @throws IllegalArgumentException when they are not of the same experiment or load, in one line that says what to do
     */
    public static ResultComparison of(ResultFile a, ResultFile b, boolean anyway) {
        if (!a.experiment().equals(b.experiment())) {
            throw new IllegalArgumentException("A is of the experiment " + a.experiment() + " and B of "
                    + b.experiment() + ": give two results of the same one");
        }
        ResultComparison comparison = new ResultComparison(a, b);
        if (comparison.pairs.isEmpty()) {
            throw new IllegalArgumentException(
                    "A and B have no contestant in common: give two results of the same contestants");
        }
        String other = ComparabilityWarnings.otherLoad(a, b, comparison.pairs);
        if (other != null && !anyway) {
            throw new IllegalArgumentException(
                    other + ": run the same on both, or compare them all the same with --anyway");
        }
        return comparison;
    }

    /** What follows by each metric, contestant by contestant; ours is B's, other is A's. */
    public List<Comparison> verdicts() {
        return verdicts;
    }

    /** What has to be known before the verdicts are believed, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Whether B does worse by any metric. */
    public boolean isSlower() {
        return verdicts.stream().anyMatch(comparison -> comparison.verdict() == Verdict.SLOWER);
    }

    /**
     * The comparison as a result file: the contestants of both under their names with {@link #A} and {@link #B} before them,
     * and the verdicts.
     *
     * @param version of Penstock
     * @param command that compared them
     * @param seed goes into the file
     */
    public ResultFile file(String version, String command, long seed) {
        List<Contestant> contestants = new ArrayList<>();
        for (Pair pair : pairs) {
            contestants.add(named(A, pair.a()));
            contestants.add(named(B, pair.b()));
        }
        return new ResultFile(
                b.experiment(),
                version,
                command,
                seed,
                a.valid() && b.valid(),
                whyInvalid(),
                b.machine(),
                null,
                notes(),
                contestants,
                verdicts);
    }

    private @Nullable String whyInvalid() {
        if (!a.valid()) {
            return "A is INVALID: " + a.whyInvalid();
        }
        return b.valid() ? null : "B is INVALID: " + b.whyInvalid();
    }

    private Stream<Comparison> compare(Pair pair) {
        return judged(pair).stream()
                .map(Metric::of)
                .filter(VerdictRule::judges)
                .flatMap(metric ->
                        pair
                                .ratio(metric.key(), metric.count())
                                .map(ratio -> comparison(pair, metric, ratio))
                                .stream());
    }

    private Comparison comparison(Pair pair, Metric metric, Ratio ratio) {
        boolean valid = a.valid() && b.valid();
        Verdict verdict = valid
                ? VerdictRule.verdict(metric, ratio, VerdictRule.margin(noise(pair.course(), metric.key())))
                : Verdict.INCONCLUSIVE;
        return new Comparison(
                pair.course(),
                metric.key(),
                B + pair.b().name(),
                A + pair.a().name(),
                ratio.ratio(),
                ratio.low(),
                ratio.high(),
                verdict);
    }

    /** Of a race what its course judges, of a load what is known of it, of anything else all that both can tell. */
    private List<String> judged(Pair pair) {
        CourseNote note = note(b, pair.course());
        if (note != null) {
            return note.judged();
        }
        Set<String> keys = pair.b().metrics().keySet();
        List<String> ofLoad = OF_A_LOAD.stream().filter(keys::contains).toList();
        return b.experiment().equals("load") || !ofLoad.isEmpty() ? ofLoad : List.copyOf(keys);
    }

    /** The larger noise of the two machines in percent; null when neither measured it. */
    private @Nullable Double noise(@Nullable String course, String key) {
        return Stream.of(a, b)
                .map(file -> note(file, course))
                .filter(Objects::nonNull)
                .map(note -> note.aaNoisePercent().get(key))
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    private List<CourseNote> notes() {
        return b.courses().stream()
                .filter(note -> pairs.stream().anyMatch(pair -> note.name().equals(pair.course())))
                .map(this::common)
                .toList();
    }

    private CourseNote common(CourseNote note) {
        CourseNote ofA = note(a, note.name());
        Map<String, Double> noise = new TreeMap<>();
        for (String key : note.judged()) {
            Double percent = noise(note.name(), key);
            if (percent != null) {
                noise.put(key, percent);
            }
        }
        int rounds = ofA == null ? note.rounds() : Math.min(note.rounds(), ofA.rounds());
        return new CourseNote(
                note.name(),
                note.workload(),
                rounds,
                note.judged(),
                note.shown(),
                noise,
                Collections.emptyList(),
                null);
    }

    private static @Nullable CourseNote note(ResultFile file, @Nullable String course) {
        return file.courses().stream()
                .filter(note -> note.name().equals(course))
                .findFirst()
                .orElse(null);
    }

    private static Contestant named(String before, Contestant it) {
        return new Contestant(
                it.course(),
                before + it.name(),
                it.role(),
                it.settings(),
                it.blocks(),
                it.metrics(),
                it.slices(),
                it.percentiles(),
                it.timeLine(),
                it.answers());
    }
}
