package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * How a target sends its messages. Immutable.
 *
 * @param timeToLive in milliseconds; 0 for ever
 */
record MessageSender(String queue, boolean persistent, long timeToLive, int priority, DuplicateId duplicateId) {
    /** Sends one message and waits for the confirmation that the client is configured to wait for. */
    JmsReceipt send(SendTask sendTask, JmsMessage message) throws JMSException, Unanswered {
        SenderSession senderSession = sendTask.senderSession(queue);
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
        senderSession.producer().send(converted, mode(), priority, timeToLive);
    }

    /** Sends without waiting; the listener receives the broker's answer. */
    void send(SenderSession senderSession, Message converted, CompletionListener listener) throws JMSException {
        senderSession.producer().send(converted, mode(), priority, timeToLive, listener);
    }

    private int mode() {
        return persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    }
}
