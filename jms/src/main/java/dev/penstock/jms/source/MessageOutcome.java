package dev.penstock.jms.source;

import dev.penstock.Unanswered;
import dev.penstock.jms.JmsMessage;
import org.jspecify.annotations.Nullable;

/** What became of a message, for good or for this process. */
sealed interface MessageOutcome {
    /**
     * Answered.
     *
     * @param reply for who asked for one; null for none
     */
    record Done(@Nullable JmsMessage reply) implements MessageOutcome {}

    /**
     * Kept as a dead letter.
     *
     * @param why how it ended the last time
     * @param attempts how often it was tried here
     */
    record Dead(Unanswered why, int attempts) implements MessageOutcome {}

    /**
     * To be delivered again to whoever has time.
     *
     * @param mayHaveEffect whether it was sent, and nobody could write down how it ended
     */
    record GivenBack(boolean mayHaveEffect) implements MessageOutcome {
        /** One that had no effect. */
        GivenBack() {
            this(false);
        }
    }
}
