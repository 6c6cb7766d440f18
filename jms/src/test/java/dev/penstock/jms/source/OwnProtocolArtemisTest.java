package dev.penstock.jms.source;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.jms.kit.TestedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Artemis by its own protocol. */
class OwnProtocolArtemisTest extends AmqpBrokerContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        BrokerProcess artemis = BrokerProcess.start(folder, 0);
        return new TestedBroker() {
            @Override
            public JmsBroker at() {
                return JmsBroker.at(artemis.url());
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

    @Override
    boolean buriesOnce() {
        return true;
    }

    @Override
    boolean leavesLarge() {
        return false;
    }
}
