package dev.penstock.jms.source;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which way of acknowledging is taken, and why. Pure.
 *
 * @param rung the way
 * @param reason one sentence
 * @param given whether somebody asked for it
 */
record AckStrategyChoice(JmsSource.Rung rung, String reason, boolean given) {
    static AckStrategyChoice of(JmsSource.@Nullable Rung asked, JmsBroker.Kind kind) {
        if (asked != null) {
            return new AckStrategyChoice(asked, "given", true);
        }
        return switch (kind) {
            case ARTEMIS, QPID ->
                new AckStrategyChoice(
                        JmsSource.Rung.INDIVIDUAL,
                        "this client acknowledges each message on its own, so none waits for another",
                        false);
            case OTHER ->
                new AckStrategyChoice(
                        JmsSource.Rung.BATCHES,
                        "nothing is known of this client beyond JMS, which acknowledges many messages at once only",
                        false);
        };
    }

    /**
     * The same, where it keeps messages of a property in order. Several sessions receive beside each other on the lower rungs;
     * a broker gives a group to one of them, and other properties mean nothing to it.
     *
     * @throws IllegalArgumentException when it does not
     */
    AckStrategyChoice keeping(@Nullable String order) {
        if (order != null && !order.equals(JmsMessage.GROUP) && rung != JmsSource.Rung.INDIVIDUAL) {
            throw new IllegalArgumentException(
                    "messages acknowledged by " + rung.name().toLowerCase(Locale.ROOT)
                            + " are kept in order by " + JmsMessage.GROUP + " only, not by " + order
                            + "; set that property when they are sent, or take a client that acknowledges each on its own");
        }
        return this;
    }

    /** The receiver of this rung. */
    AckStrategy over(MessageProcessor messageProcessor) {
        return switch (rung) {
            case INDIVIDUAL -> new IndividualAck(messageProcessor);
            case BATCHES -> new BatchAck(messageProcessor);
            case SESSIONS -> new SessionPerMessageAck(messageProcessor);
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
