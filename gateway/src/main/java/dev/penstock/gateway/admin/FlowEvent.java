package dev.penstock.gateway.admin;

import java.time.Instant;

/**
 * An event of a flow, for operators.
 *
 * @param id increases with every event of a gateway
 * @param at when it was detected, up to a second after it happened
 * @param flow the flow's name; empty for the whole gateway
 * @param kind the subject: {@code limit}, {@code connections}, {@code breaker}, {@code pin}, {@code rejected}, {@code
 *     failed}, {@code unknown}, {@code lost} or {@code drain}
 * @param text one sentence, with its numbers
 */
record FlowEvent(long id, Instant at, String flow, String kind, String text) {
    /**
     * An event without id and time.
     *
     * @param kind as above
     * @param text one sentence
     */
    record News(String kind, String text) {}
}
