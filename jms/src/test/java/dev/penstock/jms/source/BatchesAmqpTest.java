package dev.penstock.jms.source;

import dev.penstock.jms.broker.EmbeddedBroker;

class BatchesAmqpTest extends JmsSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url().replace("tcp:", "amqp:");
    }

    @Override
    JmsSource.AckMode ackMode() {
        return JmsSource.AckMode.BATCHES;
    }
}
