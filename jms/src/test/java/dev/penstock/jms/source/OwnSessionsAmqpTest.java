package dev.penstock.jms.source;

import dev.penstock.jms.broker.EmbeddedBroker;

class OwnSessionsAmqpTest extends JmsSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url().replace("tcp:", "amqp:");
    }

    @Override
    JmsSource.AckMode ackMode() {
        return JmsSource.AckMode.SESSIONS;
    }
}
