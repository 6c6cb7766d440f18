package dev.penstock.jms;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;

/**
 * How messages of a target are sent. Immutable.
 *
 * @param timeToLive in ms; 0 for ever
 */
record MessageSender(String queue, boolean persistent, long timeToLive, int priority, DuplicateId duplicateId) {
    /** Sends one on its own. Whatever the client waits for comes back before this does. */
    JmsReceipt send(SendTask sendTask, JmsMessage message) throws JMSException, Unanswered {
        SenderSession senderSession = sendTask.senderSession(queue);
        Message written = written(senderSession, message);
        sendTask.keeping();
        send(senderSession, written);
        return new JmsReceipt(written.getJMSMessageID());
    }

    private Message written(SenderSession senderSession, JmsMessage message) throws JMSException, Failed {
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
     * The message as it is sent. What it throws tells that the client will not have it so.
     *
     * @param first whether it is the first of its commit: one that has a duplicate id speaks for all
     */
    Message write(SenderSession senderSession, JmsMessage message, boolean first) throws JMSException {
        Message written = MessageMapper.write(senderSession.session(), message);
        duplicateId.set(written, message, first);
        return written;
    }

    void send(SenderSession senderSession, Message written) throws JMSException {
        senderSession.producer().send(written, mode(), priority, timeToLive);
    }

    /** The same, without waiting; the listener gets the broker's answer. */
    void send(SenderSession senderSession, Message written, CompletionListener listener) throws JMSException {
        senderSession.producer().send(written, mode(), priority, timeToLive, listener);
    }

    private int mode() {
        return persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    }
}
