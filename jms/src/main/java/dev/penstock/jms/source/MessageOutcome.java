package dev.penstock.jms.source;

import dev.penstock.Unanswered;
import dev.penstock.jms.JmsMessage;
import org.jspecify.annotations.Nullable;

/** The outcome of a message, for good or for this process. */
sealed interface MessageOutcome {
    /**
     * Answered.
     *
     * @param reply the reply to send; null for none
     */
    record Done(@Nullable JmsMessage reply) implements MessageOutcome {}

    /**
     * Becomes a dead letter.
     *
     * @param why how the last attempt ended
     * @param attempts the number of attempts by this process
     */
    record Dead(Unanswered why, int attempts) implements MessageOutcome {}

    /**
     * To be delivered again, to any consumer.
     *
     * @param mayHaveEffect whether it was sent, and its ending could not be recorded
     */
    record GivenBack(boolean mayHaveEffect) implements MessageOutcome {
        /** Without effect. */
        GivenBack() {
            this(false);
        }
    }
}
