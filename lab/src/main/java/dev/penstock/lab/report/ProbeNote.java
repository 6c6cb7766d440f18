package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a probe.
 *
 * @param findings in sentences
 * @param settings recommended settings with reasons
 * @param knee throughput by concurrency; null when not measured
 */
public record ProbeNote(
        List<String> findings,
        List<Setting> settings,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Knee knee) {
    /**
     * A recommended setting.
     *
     * @param name the dotted key of the flow file
     * @param value the value in the flow file's notation
     * @param reason one sentence
     */
    public record Setting(String name, String value, String reason) {}

    /**
     * Throughput by concurrency.
     *
     * @param points the measurements, in order
     * @param reached whether the knee was found; if not, the other three values are the highest concurrency tried
     * @param at the knee, in concurrent calls
     * @param low lower end of its 95 % confidence interval
     * @param high upper end of that interval
     */
    public record Knee(List<Point> points, boolean reached, double at, double low, double high) {
        public Knee {
            points = List.copyOf(points);
        }
    }

    /**
     * A measurement.
     *
     * @param atOnce concurrent calls
     * @param perSecond correct answers per second
     * @param meanMs the mean time of a call
     * @param errorShare the share of calls without a correct answer, 0 to 1
     */
    public record Point(int atOnce, double perSecond, double meanMs, double errorShare) {}

    public ProbeNote {
        findings = List.copyOf(findings);
        settings = List.copyOf(settings);
    }
}
