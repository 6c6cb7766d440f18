package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a probe found.
 *
 * @param findings in sentences
 * @param settings what to set, and why
 * @param knee answers a second by calls at once; null where that was not measured
 */
public record ProbeNote(
        List<String> findings,
        List<Setting> settings,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Knee knee) {
    /**
     * A setting.
     *
     * @param name as in a flow file, dotted
     * @param value as it is written there
     * @param reason one sentence
     */
    public record Setting(String name, String value, String reason) {}

    /**
     * Answers a second by calls at once: what was measured, and the curves through it.
     *
     * @param points what was measured, in order
     * @param lines the curves, the chosen one first
     * @param reached whether the knee is known; if not, the other three say how far it was looked for
     * @param at where it is, in calls at once
     * @param low lower end of its 95 % interval
     * @param high upper end of it
     */
    public record Knee(List<Point> points, List<Line> lines, boolean reached, double at, double low, double high) {
        /** Copies the lists. */
        public Knee {
            points = List.copyOf(points);
            lines = List.copyOf(lines);
        }
    }

    /**
     * A measurement.
     *
     * @param atOnce calls at once
     * @param perSecond right answers a second
     * @param meanMs the mean time of a call
     * @param errorShare how many were not answered right, 0 to 1
     */
    public record Point(int atOnce, double perSecond, double meanMs, double errorShare) {}

    /**
     * A curve.
     *
     * @param name of the model
     * @param words with its numbers, for people
     * @param chosen whether it explains the points best
     * @param places from left to right
     */
    public record Line(String name, String words, boolean chosen, List<Tradeoff.Place> places) {
        /** Copies the list. */
        public Line {
            places = List.copyOf(places);
        }
    }

    /** Copies the lists. */
    public ProbeNote {
        findings = List.copyOf(findings);
        settings = List.copyOf(settings);
    }
}
