package dev.penstock.jms.source;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.jms.kit.TestedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Artemis over its own protocol. */
class OwnProtocolArtemisTest extends AmqpTopicContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        return BrokerProcess.start(folder, 0).by("tcp");
    }

    @Override
    boolean buriesOnce() {
        return true;
    }
}
