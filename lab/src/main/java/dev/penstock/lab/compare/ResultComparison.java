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
 * Compares two results of the same experiment, by contestant, label of its transactions, and metric. A is the reference and B
 * is judged: the ratio is B / A, and FASTER means that B is better.
 *
 * <p>Blocks of different files are not paired, so the ratio is {@link Ratio#unpaired}. One run each can show a difference but
 * not prove it: there is no verdict with fewer than {@link VerdictRule#MIN_SAMPLES} blocks, and {@link #warnings} says what to
 * run. A time that is only a lower bound in B may be SLOWER, one of A FASTER, and no other verdict holds. Of an invalid result,
 * only the figures that are right all the same have verdicts; those of its labels have none.
 *
 * <p>Immutable.
 */
public final class ResultComparison {
    /** The prefix of A's contestants. */
    public static final String A = "A: ";

    /** The prefix of B's contestants. */
    public static final String B = "B: ";

    private static final List<String> LOAD_METRICS =
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
        warnings = new ComparabilityWarnings(a, b, pairs).list();
    }

    /**
     * Compares two results.
     *
     * @param a the reference
     * @param b the result to judge
     * @param anyway whether to compare different loads too
     * @throws IllegalArgumentException when experiment or load differ; the message says what to do
     */
    public static ResultComparison of(ResultFile a, ResultFile b, boolean anyway) {
        if (!a.experiment().equals(b.experiment())) {
            throw new IllegalArgumentException("A is from the experiment " + a.experiment() + " and B from "
                    + b.experiment() + ": use two results of the same experiment");
        }
        ResultComparison comparison = new ResultComparison(a, b);
        if (comparison.pairs.isEmpty()) {
            throw new IllegalArgumentException(
                    "A and B have no contestant in common: use two results of the same contestants");
        }
        String other = ComparabilityWarnings.otherLoad(a, b, comparison.pairs);
        if (other != null && !anyway) {
            throw new IllegalArgumentException(
                    other + ": use two results of the same load, or compare these with --anyway");
        }
        return comparison;
    }

    /** The verdict of each metric and contestant; ours is B's, other is A's. */
    public List<Comparison> verdicts() {
        return verdicts;
    }

    /** Warnings about the validity of the verdicts, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Whether B is worse by any metric. */
    public boolean isSlower() {
        return verdicts.stream().anyMatch(comparison -> comparison.verdict() == Verdict.SLOWER);
    }

    /**
     * The comparison as a result file: the contestants of both, prefixed with {@link #A} and {@link #B}, and
     * the verdicts.
     *
     * @param version of Penstock
     * @param command the command line that made it
     * @param seed stored in the file
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
                rightInBoth(a, b),
                b.machine(),
                null,
                notes(),
                contestants,
                verdicts);
    }

    /** Of two results that are not both valid, the figures that are right in both. */
    static List<String> rightInBoth(ResultFile a, ResultFile b) {
        return Stream.concat(a.stands().stream(), b.stands().stream())
                .distinct()
                .filter(key -> a.isRight(key) && b.isRight(key))
                .toList();
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
                .flatMap(metric -> pair.ratio(metric).map(ratio -> comparison(pair, metric, ratio)).stream());
    }

    private Comparison comparison(Pair pair, Metric metric, Ratio ratio) {
        boolean valid = pair.isLabel() ? a.valid() && b.valid() : a.isRight(metric.key()) && b.isRight(metric.key());
        Verdict verdict = valid
                ? VerdictRule.verdict(metric, ratio, VerdictRule.margin(noise(pair.course(), metric.key())))
                : Verdict.INCONCLUSIVE;
        if (!pair.allows(verdict, metric)) {
            verdict = Verdict.INCONCLUSIVE;
        }
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

    /**
     * For a race the metrics with verdicts of its course; for a load a fixed list; otherwise all metrics that
     * both have.
     */
    private List<String> judged(Pair pair) {
        CourseNote note = note(b, pair.course());
        if (note != null) {
            return note.judged();
        }
        Set<String> keys = pair.b().metrics().keySet();
        List<String> ofLoad = LOAD_METRICS.stream().filter(keys::contains).toList();
        return b.experiment().equals("load") || !ofLoad.isEmpty() ? ofLoad : List.copyOf(keys);
    }

    /** The larger noise of the two machines, in percent; null when neither measured it. */
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
                null,
                List.of(),
                null,
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
                it.answers(),
                Map.of());
    }
}
