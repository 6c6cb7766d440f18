package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.jms.SenderSessions.SenderSession;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a target sends its messages. Immutable. */
record MessageSender(JmsDestination to, boolean persistent, DuplicateId duplicateId) {
    /** Sends one message and waits for the confirmation that the client is configured to wait for. */
    JmsReceipt send(SendTask sendTask, JmsMessage message) throws JMSException, Unanswered {
        SenderSession senderSession = sendTask.senderSession(to);
        Message converted = converted(senderSession, message);
        sendTask.committing();
        send(senderSession, converted);
        return new JmsReceipt(converted.getJMSMessageID());
    }

    private Message converted(SenderSession senderSession, JmsMessage message) throws JMSException, Failed {
        try {
            return write(senderSession, message, true);
        } catch (JMSException unwritable) {
            JmsFault fault = JmsFault.of(unwritable);
            if (fault.isLost()) {
                throw unwritable;
            }
            throw fault.refused();
        }
    }

    /**
     * Converts a message for sending. Throws if the client refuses the message.
     *
     * @param first whether it is the first of its commit: one duplicate id in a commit is enough
     */
    Message write(SenderSession senderSession, JmsMessage message, boolean first) throws JMSException {
        Message converted = MessageMapper.write(senderSession.session(), message);
        duplicateId.set(converted, message, first);
        return converted;
    }

    void send(SenderSession senderSession, Message converted) throws JMSException {
        senderSession.producer().send(converted, mode(), Message.DEFAULT_PRIORITY, Message.DEFAULT_TIME_TO_LIVE);
    }

    /** Sends without waiting; the listener receives the broker's answer. */
    void send(SenderSession senderSession, Message converted, CompletionListener listener) throws JMSException {
        senderSession
                .producer()
                .send(converted, mode(), Message.DEFAULT_PRIORITY, Message.DEFAULT_TIME_TO_LIVE, listener);
    }

    private int mode() {
        return persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
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
         * Sets the id, unless the message has one already.
         *
         * @param fresh whether a message without a key gets a new id
         */
        void set(Message message, JmsMessage from, boolean fresh) throws JMSException {
            if (from.properties().containsKey(PROPERTY)) {
                return;
            }
            String value = key == null ? null : from.key(key);
            if (value != null) {
                message.setStringProperty(PROPERTY, value);
            } else if (fresh && kind == JmsBroker.Kind.ARTEMIS) {
                message.setStringProperty(PROPERTY, UUID.randomUUID().toString());
            }
        }
    }
}
