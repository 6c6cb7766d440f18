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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** A flow that sends messages to a queue of an Artemis broker in its own process. */
final class JmsSubject extends FlowUnderTest {
    private static final String ID = "id";
    /** About the bytes from opening a connection to the end of the first message on it. */
    private static final int REQUEST_BYTES = 3_000;

    private static final int ANSWER_BYTES = 2_000;
    private static final long RECEIVE_TIMEOUT_MILLIS = 60_000;
    private static final long EMPTY_TIMEOUT_MILLIS = 100;
    private static final AtomicInteger OPENED = new AtomicInteger();

    private static final PeerPool<BrokerProcess> BROKERS = new PeerPool<>(BrokerProcess::start);

    private final BrokerProcess broker;
    private final String queue;

    private JmsSubject(
            PeerPool.LeasedPeer<BrokerProcess> peer,
            String queue,
            EmbeddedFlow<JmsMessage, JmsReceipt> flow,
            TcpPath path) {
        super(flow, path, peer);
        this.broker = peer.server();
        this.queue = queue;
    }

    static SystemUnderTest open(FaultPlan schedule) throws IOException {
        PeerPool.LeasedPeer<BrokerProcess> peer = BROKERS.take();
        String queue = "survive-" + OPENED.incrementAndGet();
        TcpPath path = new TcpPath(peer.server().port(), REQUEST_BYTES + schedule.size(), ANSWER_BYTES);
        String payload = "x".repeat(schedule.size());
        EmbeddedFlow.Shape<JmsMessage, JmsReceipt> shape = new EmbeddedFlow.Shape<>(
                JmsReceipt.class,
                id -> JmsMessage.text(payload).withProperty(ID, id),
                message -> String.valueOf(message.property(ID)),
                receipt -> "",
                id -> new JmsReceipt(null));
        JmsTarget target = JmsTarget.at(JmsBroker.at("tcp://127.0.0.1:" + path.port()))
                .queue(queue)
                .build();
        return new JmsSubject(peer, queue, new EmbeddedFlow<>(schedule, shape, target), path);
    }

    @Override
    public Map<String, Integer> received() throws JMSException, IOException {
        closeFlow();
        Map<String, Integer> received = new HashMap<>();
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.url());
                Connection connection = factory.createConnection();
                Session session = connection.createSession();
                MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
            connection.start();
            long waiting = broker.count(queue);
            for (int i = 1; ; i++) {
                Message message = consumer.receive(i <= waiting ? RECEIVE_TIMEOUT_MILLIS : EMPTY_TIMEOUT_MILLIS);
                if (message == null) {
                    return received;
                }
                received.merge(message.getStringProperty(ID), 1, Integer::sum);
            }
        }
    }
}
