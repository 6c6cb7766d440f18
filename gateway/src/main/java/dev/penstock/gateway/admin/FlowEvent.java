package dev.penstock.gateway.admin;

import java.time.Instant;

/**
 * Something that happened to a flow and that a person would want to know.
 *
 * @param id counts all events of a gateway, from 1
 * @param at when it was seen, up to a second after it happened
 * @param flow the flow's name; empty for the whole gateway
 * @param kind what it is about: {@code limit}, {@code connections}, {@code breaker}, {@code pin}, {@code rejected}, {@code
 *     failed}, {@code unknown}, {@code lost} or {@code drain}
 * @param text one sentence, with its numbers
 */
record FlowEvent(long id, Instant at, String flow, String kind, String text) {
    /**
     * An event that nobody has taken down yet.
     *
     * @param kind as above
     * @param text one sentence
     */
    record News(String kind, String text) {}
}
