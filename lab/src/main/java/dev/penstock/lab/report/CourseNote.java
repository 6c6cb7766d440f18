package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The description of one course of a race.
 *
 * @param name unique in its race
 * @param workload load and faults, in one readable line
 * @param rounds how often each contestant ran; below 6 there are no verdicts
 * @param judged the keys of the metrics with verdicts, the main one first
 * @param shown the keys of the metrics in the table, in order
 * @param aaNoisePercent by judged metric, the maximum difference between two runs of the same contestant, with 95 %
 *     confidence; empty when not measured
 * @param blocksFailed the failures of blocks without a result, a line each
 * @param why the explanation of the verdicts, in one line; null without verdicts
 * @param goals the course's goals; empty without goals
 * @param tradeoff two metrics that trade off against each other; null without them
 * @param probe the findings of a probe; null otherwise
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
    public CourseNote {
        judged = List.copyOf(judged);
        shown = List.copyOf(shown);
        aaNoisePercent = Map.copyOf(new TreeMap<>(aaNoisePercent));
        blocksFailed = blocksFailed == null ? List.of() : List.copyOf(blocksFailed);
        goals = goals == null ? List.of() : List.copyOf(goals);
    }
}
