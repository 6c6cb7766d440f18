package dev.penstock.jms.source;

import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.jms.kit.TestedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Artemis, which creates queues on demand. */
class AmqpArtemisTest extends AmqpTopicContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        return BrokerProcess.start(folder, 0).by("amqp");
    }
}
