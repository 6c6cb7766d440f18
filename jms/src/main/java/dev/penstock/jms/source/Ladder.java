package dev.penstock.jms.source;

import dev.penstock.jms.JmsBroker;
import org.jspecify.annotations.Nullable;

/**
 * Which way of acknowledging is taken, and why. Pure.
 *
 * @param rung the way
 * @param reason one sentence
 * @param given whether somebody asked for it
 */
record Ladder(JmsSource.Rung rung, String reason, boolean given) {
    static Ladder of(JmsSource.@Nullable Rung asked, JmsBroker.Kind kind) {
        if (asked != null) {
            return new Ladder(asked, "given", true);
        }
        return switch (kind) {
            case ARTEMIS, QPID ->
                new Ladder(
                        JmsSource.Rung.INDIVIDUAL,
                        "this client acknowledges each message on its own, so none waits for another",
                        false);
            case OTHER ->
                new Ladder(
                        JmsSource.Rung.BATCHES,
                        "nothing is known of this client beyond JMS, which acknowledges many messages at once only",
                        false);
        };
    }

    /** The receiver of this rung. */
    Receiving over(Desk desk) {
        return switch (rung) {
            case INDIVIDUAL, BATCHES, SESSIONS -> new OneByOne(desk);
        };
    }

    /** How many messages its client may hold beside those that were asked for. */
    int prefetch() {
        return switch (rung) {
            case INDIVIDUAL -> 128;
            case BATCHES -> 64;
            case SESSIONS -> 0;
        };
    }
}
