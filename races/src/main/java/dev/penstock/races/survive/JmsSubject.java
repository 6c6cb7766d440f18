package dev.penstock.races.survive;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.kit.BrokerProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;

/** A flow that sends messages to a queue of an Artemis broker, in a process of its own. */
final class JmsSubject extends FlowUnderTest {
    private static final String ID = "id";
    /** From opening a connection to the end of the first message on it. */
    private static final int REQUEST_BYTES = 3_000;

    private static final int ANSWER_BYTES = 2_000;
    private static final long NO_MORE_MILLIS = 100;
    private static final AtomicInteger OPENED = new AtomicInteger();

    private static @Nullable BrokerProcess shared;

    private final BrokerProcess broker;
    private final String queue;

    private JmsSubject(BrokerProcess broker, String queue, EmbeddedFlow<JmsMessage, JmsReceipt> flow, TcpPath path) {
        super(flow, path);
        this.broker = broker;
        this.queue = queue;
    }

    static SystemUnderTest open(Schedule schedule) throws IOException {
        BrokerProcess broker = shared();
        String queue = "survive-" + OPENED.incrementAndGet();
        TcpPath path = new TcpPath(URI.create(broker.url()).getPort(), REQUEST_BYTES + schedule.size(), ANSWER_BYTES);
        String payload = "x".repeat(schedule.size());
        EmbeddedFlow.Shape<JmsMessage, JmsReceipt> shape = new EmbeddedFlow.Shape<>(
                JmsMessage.class,
                JmsReceipt.class,
                id -> JmsMessage.text(payload).withProperty(ID, id),
                message -> String.valueOf(message.property(ID)),
                receipt -> "",
                id -> new JmsReceipt(null));
        JmsTarget target = JmsTarget.at(JmsBroker.at("tcp://127.0.0.1:" + path.port()))
                .queue(queue)
                .build();
        return new JmsSubject(broker, queue, new EmbeddedFlow<>(schedule, shape, target), path);
    }

    private static synchronized BrokerProcess shared() throws IOException {
        BrokerProcess broker = shared;
        if (broker == null) {
            BrokerProcess started = BrokerProcess.start();
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(started::kill));
            shared = broker = started;
        }
        return broker;
    }

    @Override
    public Map<String, Integer> received() throws JMSException {
        super.close();
        Map<String, Integer> received = new HashMap<>();
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            for (Message message = consumer.receive(NO_MORE_MILLIS);
                    message != null;
                    message = consumer.receive(NO_MORE_MILLIS)) {
                received.merge(message.getStringProperty(ID), 1, Integer::sum);
            }
        }
        return received;
    }
}
