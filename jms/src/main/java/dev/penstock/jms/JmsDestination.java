package dev.penstock.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** A queue or a topic to send to. Immutable. */
record JmsDestination(String name, boolean isTopic) {
    Destination in(Session session) throws JMSException {
        return isTopic ? session.createTopic(name) : session.createQueue(name);
    }

    @Override
    public String toString() {
        return isTopic ? "topic " + name : name;
    }
}
