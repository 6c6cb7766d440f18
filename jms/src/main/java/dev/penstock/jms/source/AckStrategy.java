package dev.penstock.jms.source;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;

/** One rung of the ladder: how messages are received and acknowledged while a connection holds. */
sealed interface AckStrategy permits IndividualAck, BatchAck, SessionPerMessageAck {
    /**
     * Receives until the source has stopped and all in hand has ended, or until it is to close.
     *
     * @param connection started already
     * @throws JMSException the connection broke; what was in hand is adrift
     */
    void run(Connection connection) throws JMSException;
}
