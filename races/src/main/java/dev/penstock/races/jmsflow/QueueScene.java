package dev.penstock.races.jmsflow;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.lab.race.Scene;
import dev.penstock.races.messages.ConsumeCourse;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A broker in a separate process, with a queue filled before the start, so that no producer uses CPU during
 * the measurement.
 */
final class QueueScene implements Scene {
    private static final List<String> BROKER_JVM = List.of("-Xmx1g");

    private final BrokerProcess broker;
    private final int messages;

    /**
     * Starts and fills it.
     *
     * @param messages their number
     * @param persistent whether they are persistent
     */
    QueueScene(int messages, boolean persistent) throws IOException, JMSException {
        this.messages = messages;
        broker = BrokerProcess.start(BROKER_JVM);
        try {
            Backlog.fill(broker.url(), messages, persistent);
        } catch (JMSException | RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    @Override
    public Map<String, String> parameters() {
        return Map.of(ConsumeCourse.URL, broker.url(), ConsumeCourse.SENT, String.valueOf(messages));
    }

    @Override
    public void close() throws IOException {
        broker.close();
    }
}
