package dev.penstock.lab.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How many answers of a load were alike.
 *
 * @param status the HTTP status code
 * @param ending how the transaction ended, as a gateway reports it; null when the answer reports none
 * @param cause why it ended without an answer of the target; null when the answer reports none
 * @param count how many answers, without those of the warm-up
 */
public record AnswerCount(
        int status,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String ending,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String cause,
        long count) {
    /** The ending and its cause in words, empty when the answer reports none. */
    String words() {
        return ending == null ? "" : cause == null ? ending : ending + " (" + cause + ")";
    }
}
