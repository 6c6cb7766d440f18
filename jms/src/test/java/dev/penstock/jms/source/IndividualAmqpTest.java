package dev.penstock.jms.source;

import dev.penstock.jms.broker.EmbeddedBroker;

class IndividualAmqpTest extends JmsSourceContract {
    @Override
    String url(EmbeddedBroker started) {
        return started.url().replace("tcp:", "amqp:");
    }
}
