package dev.penstock.jms.source;

import dev.penstock.jms.kit.JarBroker;
import dev.penstock.jms.kit.TestedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** ActiveMQ Classic, which creates queues on demand. */
class ClassicBrokerTest extends AmqpTopicContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        return JarBroker.start(folder, "ClassicBroker", queues);
    }

    @Override
    boolean hasSharedSubscriptions() {
        return false;
    }
}
