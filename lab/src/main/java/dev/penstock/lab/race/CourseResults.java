package dev.penstock.lab.race;

import dev.penstock.lab.compare.Noise;
import dev.penstock.lab.compare.Ratio;
import dev.penstock.lab.compare.VerdictRule;
import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.Metric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The results of one course's blocks, and the contestants' summaries and verdicts derived from them.
 *
 * <p>Ratios are paired by round, so that disturbances of a whole round affect both sides. A failed or invalid block is
 * excluded and reported.
 *
 * <p>For one thread.
 */
final class CourseResults {
    /** The share of a contestant's blocks that may fail before the race is invalid. */
    private static final double MAX_FAILED = 1.0 / 3;

    private final Course course;
    private final Effort effort;
    private final int rounds;
    private final Lineup lineup;
    /** By name and round. */
    private final Map<String, Map<Integer, BlockResult>> blocks = new LinkedHashMap<>();

    private final Map<String, Integer> failed = new TreeMap<>();
    private final List<String> failures = new ArrayList<>();

    CourseResults(Course course, Effort effort, int rounds, Lineup lineup) {
        this.course = course;
        this.effort = effort;
        this.rounds = rounds;
        this.lineup = lineup;
        lineup.places().forEach(place -> blocks.put(place.name(), new TreeMap<>()));
    }

    /** Adds the result of a block, or the reason why it is invalid. */
    void add(String name, int round, BlockResult result) {
        if (result.whyInvalid() == null) {
            of(name).put(round, result);
        } else {
            failed(name, round, "INVALID, " + result.whyInvalid());
        }
    }

    /** Records a block without a result. */
    void failed(String name, int round, String why) {
        failed.merge(name, 1, Integer::sum);
        failures.add(name + ", round " + round + ": " + why);
    }

    /** One sentence when too many blocks failed; null when the course is valid. */
    @Nullable
    String whyInvalid() {
        for (Map.Entry<String, Integer> entry : failed.entrySet()) {
            int run = entry.getValue() + of(entry.getKey()).size();
            if (entry.getValue() > MAX_FAILED * run) {
                return course.name() + ": " + entry.getValue() + " of " + run + " blocks of " + entry.getKey()
                        + " failed; the first: "
                        + failures.stream()
                                .filter(line -> line.startsWith(entry.getKey() + ", "))
                                .findFirst()
                                .orElse("");
            }
        }
        return null;
    }

    List<Contestant> contestants() {
        return lineup.places().stream().map(this::contestant).toList();
    }

    /** Ours against each other contestant, for each judged metric; empty with too few measurements. */
    List<Comparison> verdicts() {
        Entry ours = lineup.ours();
        if (effort == Effort.QUICK || ours == null) {
            return List.of();
        }
        List<Comparison> verdicts = new ArrayList<>();
        for (Lineup.Place other : lineup.places()) {
            if (other.entry().role() != Role.OURS) {
                course.judged()
                        .forEach(key -> compare(key, ours.name(), other.name()).ifPresent(verdicts::add));
            }
        }
        return verdicts;
    }

    CourseNote note() {
        Map<String, Double> noise = new LinkedHashMap<>();
        course.judged().forEach(key -> noise(key).ifPresent(percent -> noise.put(key, percent)));
        return new CourseNote(
                course.name(),
                course.workload(effort),
                rounds,
                course.judged(),
                course.shown(),
                noise,
                failures,
                VerdictExplanation.of(course, contestants(), verdicts()),
                course.goals(contestants()),
                course.tradeoff().orElse(null),
                null);
    }

    /** The largest difference between two runs of ours, in percent; empty when not measured. */
    OptionalDouble noise(String key) {
        Entry ours = lineup.ours();
        String twin = lineup.twin();
        if (ours == null || twin == null) {
            return OptionalDouble.empty();
        }
        return ratio(key, ours.name(), twin).map(Noise::percent).orElse(OptionalDouble.empty());
    }

    private Optional<Comparison> compare(String key, String ours, String other) {
        return ratio(key, ours, other).map(ratio -> {
            OptionalDouble noise = noise(key);
            double margin = VerdictRule.margin(noise.isPresent() ? noise.getAsDouble() : null);
            Verdict verdict = VerdictRule.verdict(Metric.of(key), ratio, margin);
            return new Comparison(course.name(), key, ours, other, ratio.ratio(), ratio.low(), ratio.high(), verdict);
        });
    }

    private Optional<Ratio> ratio(String key, String ours, String other) {
        List<Double> ofOurs = new ArrayList<>();
        List<Double> ofOther = new ArrayList<>();
        Map<Integer, BlockResult> theirBlocks = related(other);
        related(ours).forEach((round, block) -> {
            Double mine = block.metrics().get(key);
            BlockResult theirBlock = theirBlocks.get(round);
            Double theirs = theirBlock == null ? null : theirBlock.metrics().get(key);
            if (mine != null && theirs != null) {
                ofOurs.add(mine);
                ofOther.add(theirs);
            }
        });
        return Ratio.paired(ofOurs, ofOther, Metric.of(key).count());
    }

    private Contestant contestant(Lineup.Place place) {
        List<BlockResult> results = List.copyOf(related(place.name()).values());
        List<Map<String, Double>> figures =
                results.stream().map(BlockResult::metrics).toList();
        Contestant contestant = Contestant.of(
                        place.name(), place.entry().role(), place.entry().settings(), figures)
                .in(course.name());
        Contestant.Spread middle = contestant.metrics().get(course.judged().getFirst());
        return contestant.drawn(
                curve(results),
                middle == null ? null : nearest(results, middle.median()).timeLine());
    }

    /** The representative block: its main metric is nearest to the median. */
    private BlockResult nearest(List<BlockResult> results, double median) {
        String main = course.judged().getFirst();
        return results.stream()
                .filter(block -> block.metrics().containsKey(main))
                .min(Comparator.comparingDouble(
                        block -> Math.abs(Objects.requireNonNull(block.metrics().get(main)) - median)))
                .orElseThrow();
    }

    /** The median of the blocks at each percentile. */
    private static Map<String, Double> curve(List<BlockResult> results) {
        List<Map<String, Double>> curves =
                results.stream().map(BlockResult::percentiles).toList();
        Map<String, Double> curve = new LinkedHashMap<>();
        Contestant.of("", Role.OURS, Map.of(), curves)
                .metrics()
                .forEach((percent, spread) -> curve.put(percent, spread.median()));
        return curve;
    }

    private Map<Integer, BlockResult> of(String name) {
        return Objects.requireNonNull(blocks.get(name), name);
    }

    /** Its blocks, with the metrics derived from several contestants. */
    private Map<Integer, BlockResult> related(String name) {
        Map<Integer, BlockResult> joined = new TreeMap<>();
        of(name).forEach((round, block) -> {
            Map<String, Double> metrics = new LinkedHashMap<>(block.metrics());
            metrics.putAll(course.related(metricsOf(round)).getOrDefault(name, Map.of()));
            joined.put(round, new BlockResult(metrics, block.percentiles(), block.timeLine(), block.whyInvalid()));
        });
        return joined;
    }

    private Map<String, Map<String, Double>> metricsOf(int round) {
        Map<String, Map<String, Double>> metrics = new LinkedHashMap<>();
        blocks.forEach((name, rounds) -> {
            BlockResult block = rounds.get(round);
            if (block != null) {
                metrics.put(name, block.metrics());
            }
        });
        return metrics;
    }
}
