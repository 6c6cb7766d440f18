package dev.penstock.jms.source;

import dev.penstock.jms.kit.JarBroker;
import dev.penstock.jms.kit.TestedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Qpid Broker-J. */
class QpidBrokerTest extends AmqpTopicContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        return JarBroker.start(folder, "QpidBroker", queues);
    }

    @Override
    boolean refusesReplies() {
        return true;
    }
}
