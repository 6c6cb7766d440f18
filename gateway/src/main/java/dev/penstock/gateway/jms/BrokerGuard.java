package dev.penstock.gateway.jms;

import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Accepts a message only if the embedded broker can store it. Thread-safe.
 *
 * @param broker null for an external broker, which decides itself
 */
record BrokerGuard(@Nullable EmbeddedBroker broker) {
    /** Text is stored with two bytes for each character. */
    private static final int MAX_FACTOR = 2;

    /** Sends one or more messages. */
    @FunctionalInterface
    interface Send<R> {
        R send() throws Unanswered;
    }

    /**
     * Rejects a message that cannot be stored at the moment.
     *
     * @param bytes the size of its body
     */
    void admit(int bytes) throws Rejected {
        String outage = broker == null ? null : broker.outage((long) MAX_FACTOR * bytes);
        if (outage != null) {
            throw new Rejected(Rejected.Cause.STORE, outage, Duration.ofSeconds(1), null);
        }
    }

    /**
     * Sends, and returns the result only if the broker had no I/O error up to its confirmation.
     *
     * @throws Unknown the broker had an error, so it may or may not have stored the messages
     */
    <R> R confirmed(Send<R> sending) throws Unanswered {
        if (broker == null) {
            return sending.send();
        }
        long before = broker.faults();
        Unknown lost = null;
        try {
            R result = sending.send();
            if (broker.faults() == before) {
                return result;
            }
        } catch (Unknown noConfirmation) {
            if (broker.faults() == before) {
                throw noConfirmation;
            }
            lost = noConfirmation;
        }
        throw Unknown.ofThisProcess(
                Unknown.Cause.ERROR, "not confirmed, because the embedded broker had an I/O error", lost);
    }
}
