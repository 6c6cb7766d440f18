package dev.penstock.jms.source;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgement mode and the reason for it. Immutable.
 *
 * @param ackMode the mode
 * @param reason one sentence
 * @param configured whether it was configured
 */
record AckStrategyChoice(JmsSource.AckMode ackMode, String reason, boolean configured) {
    static AckStrategyChoice of(JmsSource.@Nullable AckMode asked, JmsBroker.Kind kind) {
        if (asked != null) {
            return new AckStrategyChoice(asked, "configured", true);
        }
        return switch (kind) {
            case ARTEMIS, QPID ->
                new AckStrategyChoice(
                        JmsSource.AckMode.INDIVIDUAL,
                        "this client can acknowledge each message individually, so no message waits for another",
                        false);
            case OTHER ->
                new AckStrategyChoice(
                        JmsSource.AckMode.BATCHES,
                        "this client has no known individual acknowledgement, and JMS itself acknowledges only many messages together",
                        false);
        };
    }

    /**
     * Checks that the mode keeps the order of messages with the same value of a property. The other modes use several
     * sessions concurrently; a broker assigns a group to one of them, but ignores other properties.
     *
     * @throws IllegalArgumentException when the mode does not keep the order
     */
    AckStrategyChoice requireOrder(@Nullable String order) {
        if (order != null && !order.equals(JmsMessage.GROUP) && ackMode != JmsSource.AckMode.INDIVIDUAL) {
            throw new IllegalArgumentException(
                    "acknowledgement by " + ackMode.name().toLowerCase(Locale.ROOT)
                            + " keeps the order only by " + JmsMessage.GROUP + ", not by " + order
                            + "; set that property when sending, or use a client with individual acknowledgement");
        }
        return this;
    }

    /**
     * Checks that the mode has no more consumers than the subscription allows.
     *
     * @throws IllegalArgumentException when it has more
     */
    AckStrategyChoice requireConsumers(Subscription from) {
        if (ackMode == JmsSource.AckMode.SESSIONS && from.isExclusive()) {
            throw new IllegalArgumentException("acknowledgement by sessions needs a consumer for each, but " + from
                    + " has one consumer; share the subscription, or acknowledge by individual or batches");
        }
        return this;
    }

    /** The implementation of the mode. */
    AckStrategy strategy(MessageProcessor processor) {
        return switch (ackMode) {
            case INDIVIDUAL -> new IndividualAck(processor);
            case BATCHES -> new BatchAck(processor);
            case SESSIONS -> new SessionPerMessageAck(processor);
        };
    }

    /** The number of messages that the client may prefetch. */
    int prefetch() {
        return switch (ackMode) {
            case INDIVIDUAL -> 128;
            case BATCHES -> 64;
            case SESSIONS -> 0;
        };
    }
}
