package dev.penstock.races.jmsflow;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.lab.race.Scene;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A broker in a process of its own, with a queue that is full before the start: no producer takes CPU while it is measured. */
final class QueueScene implements Scene {
    private static final String URL = "url";
    private static final String SENT = "sent";
    private static final List<String> BROKER_JVM = List.of("-Xmx1g");

    private final BrokerProcess broker;
    private final int messages;

    /**
     * Starts and fills it.
     *
     * @param messages how many
     * @param persistent whether they are on the disk
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
        return Map.of(URL, broker.url(), SENT, String.valueOf(messages));
    }

    /** Where the broker is, as the scene said. */
    static String url(Map<String, String> parameters) {
        return said(parameters, URL);
    }

    /** How many it holds, as the scene said. */
    static int sent(Map<String, String> parameters) {
        return Integer.parseInt(said(parameters, SENT));
    }

    private static String said(Map<String, String> parameters, String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the scene named no " + name);
        }
        return value;
    }

    @Override
    public void close() throws IOException {
        broker.close();
    }
}
