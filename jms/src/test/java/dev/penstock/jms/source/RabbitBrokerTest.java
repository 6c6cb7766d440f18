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
    boolean reportsRedelivery() {
        return false;
    }

    /** A client does not report which messages are delivered again, so a source needs a key. */
    @Test
    @Override
    void messageDuringWhichAProcessDiedIsADeadLetterWithoutAKey() {
        JmsSourceBuilder keyless = JmsSource.at(broker.at()).queue(broker.address("died"));
        assertThatThrownBy(() -> keyless.to(message -> "done", () -> 10)).hasMessageContaining("set a 'key'");
    }
}
