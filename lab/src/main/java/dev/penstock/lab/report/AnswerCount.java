package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The number of equal answers of a load.
 *
 * @param status the HTTP status code
 * @param ending the ending reported by a gateway; null when the answer reports none
 * @param cause the cause when the target did not answer; null when the answer reports none
 * @param count the number of answers, without the warm-up
 */
public record AnswerCount(
        int status,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String ending,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String cause,
        long count) {
    /** The ending and its cause, empty when the answer reports none. */
    String format() {
        return ending == null ? "" : cause == null ? ending : ending + " (" + cause + ")";
    }
}
