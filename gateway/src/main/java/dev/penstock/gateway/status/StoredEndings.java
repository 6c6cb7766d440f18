package dev.penstock.gateway.status;

import dev.penstock.Unanswered;
import dev.penstock.http.HttpAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Stores the endings of transactions that come from a queue. Thread-safe.
 *
 * @param statuses null to store none
 * @param isHop whether they go on to another queue, so that an answer is not their ending
 */
public record StoredEndings(@Nullable StatusStore statuses, boolean isHop) {
    /**
     * Stores the ending of a transaction.
     *
     * @param id null, or not valid, for a message that is no transaction of a gateway
     * @param answer the answer of the flow; null without one
     * @param why how it ended without an answer; null when it was answered
     * @throws Exception it is unknown whether it was stored; may be repeated
     */
    public void store(@Nullable String id, @Nullable Object answer, @Nullable Unanswered why) throws Exception {
        if (statuses == null || id == null || !TransactionIds.isValid(id) || (isHop && why == null)) {
            return;
        }
        if (answer instanceof HttpAnswer http) {
            statuses.answered(id, http);
        } else if (why != null) {
            statuses.unanswered(id, why);
        }
    }
}
