package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;

/** How messages are received and acknowledged over one connection. */
sealed interface AckStrategy permits IndividualAck, SessionPerMessageAck {
    /**
     * Receives until the source has stopped and all messages in flight have ended, or until it is closed.
     *
     * @param connection a started connection
     * @throws JMSException when the connection is lost; its messages in flight are then delivered again
     */
    void run(Connection connection) throws JMSException;
}
