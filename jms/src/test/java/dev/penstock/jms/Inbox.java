package dev.penstock.jms;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Receives from a queue through plain JMS. */
final class Inbox implements AutoCloseable {
    private final Connection connection;
    private final Session session;
    private final MessageConsumer consumer;

    Inbox(ConnectionFactory factory, String queue) throws JMSException {
        connection = factory.createConnection();
        connection.start();
        session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        consumer = session.createConsumer(session.createQueue(queue));
    }

    /** The next message; fails when none arrives for a long time. */
    Message next() throws JMSException {
        Message message = consumer.receive(60_000);
        if (message == null) {
            throw new AssertionError("no message came");
        }
        return message;
    }

    /** The text of the next message; null when none arrives soon. */
    @Nullable
    String poll() throws JMSException {
        Message message = consumer.receive(100);
        return message == null ? null : message.getBody(String.class);
    }

    /** The texts of the next messages. */
    List<String> texts(int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            texts.add(next().getBody(String.class));
        }
        return texts;
    }

    boolean isEmpty() throws JMSException {
        return consumer.receiveNoWait() == null;
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
