package dev.penstock.jms;

class LostBrokerArtemisTest extends LostBrokerContract {
    @Override
    JmsBroker at(int port) {
        return JmsBroker.at("tcp://127.0.0.1:" + port);
    }

    @Override
    String refused() {
        return "ActiveMQNotConnectedException";
    }
}
