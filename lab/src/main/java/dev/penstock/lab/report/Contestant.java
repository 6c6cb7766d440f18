package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.TimeLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One measured configuration.
 *
 * @param course the course of the race; null when there is only one
 * @param name unique in its course
 * @param role its role
 * @param settings its settings by name
 * @param blocks the raw values of each block, by metric key; unknown values are absent
 * @param metrics the summary of the blocks, by metric key
 * @param slices the window of a single block in equal parts, the raw values of each; empty with several blocks
 * @param percentiles for a plot: percent to milliseconds, over all blocks; empty without latencies
 * @param timeLine of the median block; null without one
 * @param answers the number of answers by status code; empty when not counted
 * @param labels by label of its transactions, the raw values of each block; empty without labels
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
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<AnswerCount> answers,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, List<Map<String, Double>>> labels) {
    /** A contestant's role. */
    public enum Role {
        /** The theoretical limit. */
        @JsonProperty("limit")
        LIMIT,
        /** The original state. */
        @JsonProperty("before")
        BEFORE,
        /** The improved state, without Penstock. */
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
     * Median and range of several values.
     *
     * @param median the middle value, or the mean of the two middle ones
     * @param min the smallest
     * @param max the largest
     */
    public record Spread(double median, double min, double max) {
        static Spread of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            int size = sorted.size();
            double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
            return new Spread(median, sorted.getFirst(), sorted.getLast());
        }
    }

    public Contestant {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        blocks = copies(blocks);
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        slices = slices == null ? List.of() : copies(slices);
        answers = answers == null ? List.of() : List.copyOf(answers);
        Map<String, List<Map<String, Double>>> copy = new LinkedHashMap<>();
        if (labels != null) {
            labels.forEach((label, ofLabel) -> copy.put(label, copies(ofLabel)));
        }
        labels = Collections.unmodifiableMap(copy);
        percentiles = percentiles == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(percentiles));
    }

    /** A contestant with its blocks summarized; each metric covers the blocks that have it. */
    public static Contestant of(
            String name, Role role, Map<String, String> settings, List<Map<String, Double>> blocks) {
        Map<String, List<Double>> byKey = new LinkedHashMap<>();
        blocks.forEach(block -> block.forEach((key, value) ->
                byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(value)));
        Map<String, Spread> metrics = new LinkedHashMap<>();
        byKey.forEach((key, values) -> metrics.put(key, Spread.of(values)));
        return new Contestant(
                null, name, role, settings, blocks, metrics, List.of(), Map.of(), null, List.of(), Map.of());
    }

    /** A copy in this course of a race. */
    public Contestant in(String ofCourse) {
        return new Contestant(
                ofCourse, name, role, settings, blocks, metrics, slices, percentiles, timeLine, answers, labels);
    }

    /** A copy with the slices of its only block. */
    public Contestant sliced(List<Map<String, Double>> parts) {
        return new Contestant(
                course, name, role, settings, blocks, metrics, parts, percentiles, timeLine, answers, labels);
    }

    /** A copy with the data of plots. */
    public Contestant drawn(Map<String, Double> curve, @Nullable TimeLine line) {
        return new Contestant(course, name, role, settings, blocks, metrics, slices, curve, line, answers, labels);
    }

    /** A copy with the number of answers by status code. */
    public Contestant answered(List<AnswerCount> counts) {
        return new Contestant(
                course, name, role, settings, blocks, metrics, slices, percentiles, timeLine, counts, labels);
    }

    /** A copy with the metrics of its only block by label. */
    public Contestant labelled(Map<String, Map<String, Double>> byLabel) {
        Map<String, List<Map<String, Double>>> blocksByLabel = new LinkedHashMap<>();
        byLabel.forEach((label, block) -> blocksByLabel.put(label, List.of(block)));
        return new Contestant(
                course, name, role, settings, blocks, metrics, slices, percentiles, timeLine, answers, blocksByLabel);
    }

    /** The median of a metric, marked when a block has only a lower bound of it; n/a if it is absent. */
    String median(String key) {
        Spread spread = metrics.get(key);
        return spread == null ? Figures.NOT_KNOWN : (isLowerBound(key) ? ">=" : "") + Figures.number(spread.median());
    }

    /** Whether a metric is only a lower bound in a block, because of transactions that were never answered. */
    public boolean isLowerBound(String key) {
        return blocks.stream().anyMatch(block -> LoadResult.isLowerBound(block, key));
    }

    /** The transactions of each label as a contestant of that name. */
    public List<Contestant> byLabel() {
        return labels.entrySet().stream()
                .map(label -> of(label.getKey(), role, Map.of(), label.getValue()))
                .toList();
    }

    private static List<Map<String, Double>> copies(List<Map<String, Double>> parts) {
        return parts.stream()
                .map(part -> Collections.unmodifiableMap(new LinkedHashMap<>(part)))
                .toList();
    }
}
