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
record Sender(String queue, boolean persistent, long timeToLive, int priority, DuplicateId duplicateId) {
    /** Sends one on its own. Whatever the client waits for comes back before this does. */
    JmsReceipt send(Errand errand, JmsMessage message) throws JMSException, Unanswered {
        Lane lane = errand.lane(queue);
        Message written = written(lane, message);
        errand.keeping();
        send(lane, written);
        return new JmsReceipt(written.getJMSMessageID());
    }

    private Message written(Lane lane, JmsMessage message) throws JMSException, Failed {
        try {
            return write(lane, message, true);
        } catch (JMSException unwritable) {
            Fault fault = Fault.of(unwritable);
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
    Message write(Lane lane, JmsMessage message, boolean first) throws JMSException {
        Message written = Messages.write(lane.session(), message);
        duplicateId.set(written, message, first);
        return written;
    }

    void send(Lane lane, Message written) throws JMSException {
        lane.producer().send(written, mode(), priority, timeToLive);
    }

    /** The same, without waiting; the listener gets the broker's answer. */
    void send(Lane lane, Message written, CompletionListener listener) throws JMSException {
        lane.producer().send(written, mode(), priority, timeToLive, listener);
    }

    private int mode() {
        return persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    }
}
