package dev.penstock.jms;

import dev.penstock.jms.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;

class JmsTargetInVmArtemisTest extends JmsTargetContract {
    @Override
    EmbeddedBroker start(Path folder) throws IOException {
        return EmbeddedBroker.in(folder);
    }

    @Override
    JmsBroker at(EmbeddedBroker started) {
        return JmsBroker.at(started.url());
    }
}
