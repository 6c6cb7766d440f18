package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jms.kit.RabbitProcess;
import dev.penstock.jms.kit.TestedBroker;
import dev.penstock.kit.program.NeedsProgram;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** RabbitMQ 3.10: without transactions, temporary queues and selectors. */
@NeedsProgram("rabbitmq-server")
class RabbitBrokerTest extends AmqpBrokerContract {
    @Override
    TestedBroker start(Path folder, List<String> queues) throws IOException {
        return RabbitProcess.start(folder, queues);
    }

    @Override
    boolean hasTransactions() {
        return false;
    }

    @Test
    void selectorIsRefused() throws Exception {
        try (JmsSource source = from("once").selector("n >= 50").to(message -> "done", () -> 20)) {
            assertThatThrownBy(source::start)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("ignores selectors; leave out 'selector'");
        }
    }
}
