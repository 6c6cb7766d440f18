package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.jms.SenderSessions.SenderSession;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a target sends its messages, which are persistent. Immutable. */
record MessageSender(JmsDestination to, DuplicateId duplicateId) {
    /** Sends one message and waits for the confirmation that the client is configured to wait for. */
    JmsReceipt send(SendTask sendTask, JmsMessage message) throws JMSException, Unanswered {
        SenderSession senderSession = sendTask.senderSession(to);
        Message converted = write(senderSession, message, true);
        sendTask.committing();
        send(senderSession, converted);
        return new JmsReceipt(converted.getJMSMessageID());
    }

    /**
     * Converts a message for sending.
     *
     * @param first whether it is the first of its commit: one duplicate id in a commit is enough
     * @throws Failed cause {@code REFUSED}: the client refuses the message
     * @throws JMSException the connection is lost
     */
    Message write(SenderSession senderSession, JmsMessage message, boolean first) throws JMSException, Failed {
        return write(senderSession, message, duplicateId.of(message, first));
    }

    /** As above, with this duplicate id; null for none. */
    static Message write(SenderSession senderSession, JmsMessage message, @Nullable String duplicateId)
            throws JMSException, Failed {
        try {
            Message converted = MessageMapper.write(senderSession.session(), message);
            if (duplicateId != null) {
                converted.setStringProperty(DuplicateId.PROPERTY, duplicateId);
            }
            return converted;
        } catch (JMSException unwritable) {
            JmsFault fault = JmsFault.of(unwritable);
            if (fault.isLost()) {
                throw unwritable;
            }
            throw fault.refused();
        }
    }

    void send(SenderSession senderSession, Message converted) throws JMSException {
        senderSession.producer().send(converted);
    }

    /** Sends without waiting; the listener receives the broker's answer. */
    void send(SenderSession senderSession, Message converted, CompletionListener listener) throws JMSException {
        senderSession.producer().send(converted, listener);
    }

    /**
     * The id by which an Artemis broker detects duplicates: the value of the message's key property, so that a retry has
     * the same id. A message without a key gets a new id, which detects repeats by the client or by a cluster of brokers.
     *
     * @param key the key property; null for none
     * @param kind over AMQP the broker's type is unknown, so only messages with a key get an id
     */
    record DuplicateId(@Nullable String key, JmsBroker.Kind kind) {
        /** Artemis's property for duplicate detection. */
        static final String PROPERTY = "_AMQ_DUPL_ID";

        /**
         * The id to set; null for none, and for a message that has one already.
         *
         * @param fresh whether a message without a key gets a new id
         */
        @Nullable
        String of(JmsMessage message, boolean fresh) {
            if (message.properties().containsKey(PROPERTY)) {
                return null;
            }
            String value = key == null ? null : message.key(key);
            return value == null && fresh && kind == JmsBroker.Kind.ARTEMIS
                    ? UUID.randomUUID().toString()
                    : value;
        }
    }
}
