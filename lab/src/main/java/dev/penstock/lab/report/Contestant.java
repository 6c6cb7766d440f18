package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.penstock.lab.measure.TimeLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One configuration that was measured.
 *
 * @param course the course of the race that it ran; null where there is only one
 * @param name unique in its course
 * @param role what it stands for
 * @param settings what it ran with, by name
 * @param blocks the raw numbers of each time it ran, by metric key; a number that could not be told is not there
 * @param metrics the blocks summed up, by metric key
 * @param slices the window of a single block cut in equal parts, the raw numbers of each; empty where there are many blocks
 * @param percentiles for a plot: percent to milliseconds, over all blocks; empty where nothing was timed
 * @param timeLine of the block in the middle; null where there is none
 * @param answers how many answers of each status code there were; empty where nobody counted them
 */
public record Contestant(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String course,
        String name,
        Role role,
        Map<String, String> settings,
        List<Map<String, Double>> blocks,
        Map<String, Spread> metrics,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Map<String, Double>> slices,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> percentiles,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TimeLine timeLine,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<AnswerCount> answers) {
    /** What a contestant stands for. */
    public enum Role {
        /** The bound that nothing can beat. */
        @JsonProperty("limit")
        LIMIT,
        /** How it was. */
        @JsonProperty("before")
        BEFORE,
        /** How it became, by hand. */
        @JsonProperty("after")
        AFTER,
        /** Another library. */
        @JsonProperty("peer")
        PEER,
        /** Penstock. */
        @JsonProperty("ours")
        OURS
    }

    /**
     * The middle and the ends of some numbers.
     *
     * @param median the middle one, or the mean of the two in the middle
     * @param min the least
     * @param max the most
     */
    public record Spread(double median, double min, double max) {
        static Spread of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            int size = sorted.size();
            double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
            return new Spread(median, sorted.getFirst(), sorted.getLast());
        }
    }

    /** Copies what it is given, in its order. */
    public Contestant {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        blocks = copies(blocks);
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        slices = slices == null ? List.of() : copies(slices);
        answers = answers == null ? List.of() : List.copyOf(answers);
        percentiles = percentiles == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(percentiles));
    }

    /** A contestant with its blocks summed up; a metric is of the blocks that could tell it. */
    public static Contestant of(
            String name, Role role, Map<String, String> settings, List<Map<String, Double>> blocks) {
        Map<String, List<Double>> byKey = new LinkedHashMap<>();
        blocks.forEach(block -> block.forEach((key, value) ->
                byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(value)));
        Map<String, Spread> metrics = new LinkedHashMap<>();
        byKey.forEach((key, values) -> metrics.put(key, Spread.of(values)));
        return new Contestant(null, name, role, settings, blocks, metrics, List.of(), Map.of(), null, List.of());
    }

    /** The same in this course of a race. */
    public Contestant in(String ofCourse) {
        return new Contestant(ofCourse, name, role, settings, blocks, metrics, slices, percentiles, timeLine, answers);
    }

    /** The same with the parts of its only block. */
    public Contestant sliced(List<Map<String, Double>> parts) {
        return new Contestant(course, name, role, settings, blocks, metrics, parts, percentiles, timeLine, answers);
    }

    /** The same with what plots are drawn from. */
    public Contestant drawn(Map<String, Double> curve, @Nullable TimeLine line) {
        return new Contestant(course, name, role, settings, blocks, metrics, slices, curve, line, answers);
    }

    /** The same with how many answers of each status code there were. */
    public Contestant answered(List<AnswerCount> counts) {
        return new Contestant(course, name, role, settings, blocks, metrics, slices, percentiles, timeLine, counts);
    }

    private static List<Map<String, Double>> copies(List<Map<String, Double>> parts) {
        return parts.stream()
                .map(part -> Collections.unmodifiableMap(new LinkedHashMap<>(part)))
                .toList();
    }
}
