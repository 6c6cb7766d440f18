package dev.penstock.jms.broker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedBrokerArtemisTest {
    private static final String HOST = "127.0.0.1";

    @TempDir
    private Path folder;

    @Test
    void aFolderThatAnotherHasOpenIsToldAndFreeAfterwards() throws Exception {
        try (EmbeddedBroker _ = EmbeddedBroker.in(folder)) {
            assertThatThrownBy(() -> EmbeddedBroker.start(folder, null, 0, 50))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another broker has it open; give it a folder that no other broker has open");
        }
        EmbeddedBroker.in(folder).close();
    }

    @Test
    void aPortThatIsTakenIsToldAtOnceAndTheFolderIsFreeAfterwards() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            assertThatThrownBy(() -> EmbeddedBroker.on(folder, HOST, taken.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("to 127.0.0.1:" + taken.getLocalPort())
                    .hasMessageEndingWith("and a port that is free");
        }
        EmbeddedBroker.in(folder).close();
    }
}
