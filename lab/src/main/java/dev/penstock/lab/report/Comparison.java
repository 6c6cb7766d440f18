package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Ours compared with another contestant, by one metric.
 *
 * @param course the course of the race; null when there is only one
 * @param metric its key
 * @param ours the name of our contestant
 * @param other the name of the other
 * @param ratio ours / other
 * @param low the lower end of the ratio's 95 % confidence interval
 * @param high the upper end
 * @param verdict the conclusion
 */
public record Comparison(
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String course,
        String metric,
        String ours,
        String other,
        double ratio,
        double low,
        double high,
        Verdict verdict) {
    /** The conclusion of a comparison. */
    public enum Verdict {
        /** Ours is significantly better. */
        FASTER,
        /** Ours is significantly worse. */
        SLOWER,
        /** No relevant difference. */
        SAME,
        /** Too few runs, or too much noise, to decide. */
        INCONCLUSIVE
    }
}
