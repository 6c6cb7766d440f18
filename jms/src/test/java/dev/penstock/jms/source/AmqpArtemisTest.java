package dev.penstock.jms.source;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.jms.kit.TestedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Artemis, which makes queues when they are asked for. */
class AmqpArtemisTest extends AmqpBrokerContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        BrokerProcess artemis = BrokerProcess.start(folder, 0);
        return new TestedBroker() {
            @Override
            public JmsBroker at() {
                return JmsBroker.at(artemis.url().replace("tcp:", "amqp:"));
            }

            @Override
            public void kill() {
                artemis.kill();
            }

            @Override
            public void restart() throws IOException {
                artemis.restart();
            }

            @Override
            public void close() throws IOException {
                artemis.close();
            }
        };
    }
}
