package dev.penstock.jms;

import dev.penstock.Unanswered;
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
        Message written = write(lane, message);
        errand.keeping();
        send(lane, written);
        return new JmsReceipt(written.getJMSMessageID());
    }

    /** The message as it is sent. What it throws tells that the client will not have it so. */
    Message write(Lane lane, JmsMessage message) throws JMSException {
        Message written = Messages.write(lane.session(), message);
        duplicateId.set(written, message);
        return written;
    }

    void send(Lane lane, Message written) throws JMSException {
        lane.producer()
                .send(
                        written,
                        persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT,
                        priority,
                        timeToLive);
    }
}
