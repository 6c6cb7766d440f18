package dev.penstock.jms;

class LostBrokerAmqpTest extends LostBrokerContract {
    @Override
    JmsBroker at(int port) {
        return JmsBroker.at("amqp://127.0.0.1:" + port);
    }

    @Override
    JmsBroker patient(int port) {
        return JmsBroker.at("amqp://127.0.0.1:" + port + "?amqp.idleTimeout=600000");
    }

    @Override
    String refused() {
        return "Connection refused";
    }
}
