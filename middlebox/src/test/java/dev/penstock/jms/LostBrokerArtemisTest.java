package dev.penstock.jms;

class LostBrokerArtemisTest extends LostBrokerContract {
    @Override
    JmsBroker at(int port) {
        return JmsBroker.at("tcp://127.0.0.1:" + port);
    }

    @Override
    JmsBroker patient(int port) {
        return JmsBroker.at(
                "tcp://127.0.0.1:" + port + "?clientFailureCheckPeriod=-1&connectionTTL=-1&callTimeout=600000");
    }

    @Override
    String refused() {
        return "ActiveMQNotConnectedException";
    }
}
