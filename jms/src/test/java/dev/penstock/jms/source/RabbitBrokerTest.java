package dev.penstock.jms.source;

import dev.penstock.jms.kit.RabbitProcess;
import dev.penstock.jms.kit.TestedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** RabbitMQ 3.10: without transactions and temporary queues. */
class RabbitBrokerTest extends AmqpBrokerContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        Assumptions.assumeTrue(
                RabbitProcess.isInstalled(), "RabbitMQ was not found, on Debian: apt-get install rabbitmq-server");
        return RabbitProcess.start(folder, queues);
    }

    @Override
    boolean hasTransactions() {
        return false;
    }

    @Override
    boolean hasSelectors() {
        return false;
    }
}
