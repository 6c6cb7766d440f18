package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How ours did against another, by one metric.
 *
 * @param course the course of the race; null where there is only one
 * @param metric its key
 * @param ours the name of our contestant
 * @param other the name of the other
 * @param ratio ours / other
 * @param low the lower end of the ratio's 95 % interval
 * @param high the upper end
 * @param verdict what follows
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
    /** What a comparison shows. */
    public enum Verdict {
        /** Ours does better, beyond doubt. */
        FASTER,
        /** Ours does worse, beyond doubt. */
        SLOWER,
        /** No difference that matters. */
        SAME,
        /** Too few runs, or too much noise, to tell. */
        INCONCLUSIVE
    }
}
