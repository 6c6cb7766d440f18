package dev.penstock.jms;

import dev.penstock.jms.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;

class JmsTargetTcpArtemisTest extends JmsTargetContract {
    @Override
    EmbeddedBroker start(Path folder) throws IOException {
        return EmbeddedBroker.on(folder, "127.0.0.1", 0);
    }

    @Override
    JmsBroker at(EmbeddedBroker started) {
        return JmsBroker.at(started.url());
    }
}
