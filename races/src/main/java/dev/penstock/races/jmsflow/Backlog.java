package dev.penstock.races.jmsflow;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.races.messages.FilledBroker;
import dev.penstock.races.messages.MessageWork;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** The messages in the queue: 1 KB each, numbered from 0. */
final class Backlog {
    /** The race's queue. */
    static final String QUEUE = "payments";

    /** The size of a message, in bytes. */
    static final int SIZE = 1024;

    private static final int COMMIT_EVERY = 1_000;
    private static final long NO_MORE_MILLIS = 2_000;

    private Backlog() {}

    /** A broker in a separate process, filled with messages. */
    static FilledBroker scene(int messages, boolean persistent) throws Exception {
        BrokerProcess broker = BrokerProcess.start(List.of("-Xmx1g"));
        return FilledBroker.of(broker, broker.url(), messages, () -> fill(broker.url(), messages, persistent));
    }

    /** Sends messages as fast as one producer can, and returns when the broker has them all. */
    static void fill(String url, int messages, boolean persistent) throws JMSException {
        try (var factory = new ActiveMQConnectionFactory(url);
                JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            Queue queue = context.createQueue(QUEUE);
            JMSProducer producer = context.createProducer()
                    .setDeliveryMode(persistent ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT)
                    .setDisableMessageTimestamp(true);
            byte[] body = new byte[SIZE];
            for (int number = 0; number < messages; number++) {
                ByteBuffer.wrap(body).putInt(number);
                BytesMessage message = context.createBytesMessage();
                message.writeBytes(body);
                producer.send(queue, message);
                if (number % COMMIT_EVERY == COMMIT_EVERY - 1) {
                    context.commit();
                }
            }
            context.commit();
        }
    }

    /** Reads a whole message, as any handler would. */
    static int number(Message message) throws JMSException {
        return number(message.getBody(byte[].class));
    }

    static int number(byte[] body) {
        return ByteBuffer.wrap(body).getInt();
    }

    /** Receives the remaining messages, until all sent ones are accounted for, or no more arrive. */
    static BitSet drain(String url, MessageWork handling) throws JMSException {
        BitSet left = new BitSet();
        int missing = 0;
        for (int number = 0; number < handling.sent(); number++) {
            missing += handling.times(number) == 0 ? 1 : 0;
        }
        try (var factory = new ActiveMQConnectionFactory(url);
                JMSContext context = factory.createContext(JMSContext.DUPS_OK_ACKNOWLEDGE);
                var consumer = context.createConsumer(context.createQueue(QUEUE))) {
            while (missing > 0) {
                Message message = consumer.receive(NO_MORE_MILLIS);
                if (message == null) {
                    break;
                }
                int number = number(message);
                if (!left.get(number)) {
                    left.set(number);
                    missing -= handling.times(number) == 0 ? 1 : 0;
                }
            }
        }
        return left;
    }
}
