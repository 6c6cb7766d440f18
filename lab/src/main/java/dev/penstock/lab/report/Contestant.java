package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One configuration that was measured.
 *
 * @param name unique in its file
 * @param role what it stands for
 * @param settings what it ran with, by name
 * @param blocks the raw numbers of each time it ran, by metric key; a number that could not be told is not there
 * @param metrics the blocks summed up, by metric key
 */
public record Contestant(
        String name,
        Role role,
        Map<String, String> settings,
        List<Map<String, Double>> blocks,
        Map<String, Spread> metrics) {
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
        blocks = blocks.stream()
                .map(block -> Collections.unmodifiableMap(new LinkedHashMap<>(block)))
                .toList();
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
    }

    /** A contestant with its blocks summed up; a metric is of the blocks that could tell it. */
    public static Contestant of(
            String name, Role role, Map<String, String> settings, List<Map<String, Double>> blocks) {
        Map<String, List<Double>> byKey = new LinkedHashMap<>();
        blocks.forEach(block -> block.forEach((key, value) ->
                byKey.computeIfAbsent(key, k -> new ArrayList<>()).add(value)));
        Map<String, Spread> metrics = new LinkedHashMap<>();
        byKey.forEach((key, values) -> metrics.put(key, Spread.of(values)));
        return new Contestant(name, role, settings, blocks, metrics);
    }
}
