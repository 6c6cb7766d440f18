package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one course of a race was.
 *
 * @param name unique in its race
 * @param workload load and faults, in one line for people
 * @param rounds how often each contestant ran; with fewer than 6 nothing is judged
 * @param judged the keys of the metrics that verdicts are about, the main one first
 * @param shown the keys of the metrics that its table shows, in order
 * @param aaNoisePercent by judged metric, how far two runs of the same contestant were apart at most, with 95 % certainty;
 *     empty when that was not measured
 * @param blocksFailed what went wrong with blocks that gave no figures, a line each
 * @param why what explains its verdicts, in one line; null where there are none
 * @param goals what it was to show; empty where nothing was said beforehand
 * @param tradeoff two figures that are had for each other; null where there are none
 * @param probe what a probe found; null for anything else
 */
public record CourseNote(
        String name,
        String workload,
        int rounds,
        List<String> judged,
        List<String> shown,
        Map<String, Double> aaNoisePercent,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> blocksFailed,
        @Nullable String why,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Goal> goals,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Tradeoff tradeoff,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ProbeNote probe) {
    /** Copies what it is given. */
    public CourseNote {
        judged = List.copyOf(judged);
        shown = List.copyOf(shown);
        aaNoisePercent = Map.copyOf(new TreeMap<>(aaNoisePercent));
        blocksFailed = blocksFailed == null ? List.of() : List.copyOf(blocksFailed);
        goals = goals == null ? List.of() : List.copyOf(goals);
    }

    /** A course of which nothing was said beforehand. */
    public CourseNote(
            String name,
            String workload,
            int rounds,
            List<String> judged,
            List<String> shown,
            Map<String, Double> aaNoisePercent,
            List<String> blocksFailed,
            @Nullable String why) {
        this(name, workload, rounds, judged, shown, aaNoisePercent, blocksFailed, why, List.of(), null, null);
    }

    /** A course of a race. */
    public CourseNote(
            String name,
            String workload,
            int rounds,
            List<String> judged,
            List<String> shown,
            Map<String, Double> aaNoisePercent,
            List<String> blocksFailed,
            @Nullable String why,
            List<Goal> goals,
            @Nullable Tradeoff tradeoff) {
        this(name, workload, rounds, judged, shown, aaNoisePercent, blocksFailed, why, goals, tradeoff, null);
    }

    /** The same with what a probe found. */
    public CourseNote probed(ProbeNote found) {
        return new CourseNote(
                name, workload, rounds, judged, shown, aaNoisePercent, blocksFailed, why, goals, tradeoff, found);
    }
}
