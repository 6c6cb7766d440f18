package dev.penstock.races.survive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real disk, network and clock: each fault has its effect, and healing ends it. */
@Timeout(60)
class GatewayMachineRealClockTest {
    private static final long HOUR = 3_600;
    private static final int TO_CONNECT_MS = 300;

    private GatewayMachine machine;

    @BeforeEach
    void build() throws IOException {
        assumeTrue(GatewayMachine.whyNot().isEmpty(), () -> String.valueOf(GatewayMachine.whyNot()));
        machine = GatewayMachine.build();
    }

    @AfterEach
    void remove() throws IOException {
        if (machine != null) {
            machine.close();
            assertThat(machine.folder()).doesNotExist();
        }
    }

    @Test
    void fullDiskAcceptsNoByte() throws IOException {
        Path file = machine.disk().resolve("file");
        machine.fillDisk();
        assertThatThrownBy(() -> Files.writeString(file, "a")).isInstanceOf(IOException.class);

        machine.heal();
        Files.writeString(file, "a");
        assertThat(file).hasContent("a");
    }

    @Test
    void programsSeeTheMovedClock() throws Exception {
        machine.moveClock(-HOUR);
        assertThat(clock()).isCloseTo(Instant.now().getEpochSecond() - HOUR, within(60L));

        machine.heal();
        assertThat(clock()).isCloseTo(Instant.now().getEpochSecond(), within(60L));
    }

    private long clock() throws IOException {
        Process date = machine.command(List.of("date", "+%s")).start();
        return Long.parseLong(new String(date.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
    }

    @Test
    void networkFaultBlocksEverything() throws IOException {
        assertThat(isReached()).isTrue();
        machine.disconnect();
        assertThat(isReached()).isFalse();

        machine.heal();
        boolean reached = isReached();
        while (!reached) { // the link needs a moment to come up
            reached = isReached();
        }
    }

    /** Nothing listens there: a refused connection has reached the machine. */
    private boolean isReached() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(machine.address(), 1), TO_CONNECT_MS);
            return true;
        } catch (ConnectException refused) {
            return String.valueOf(refused.getMessage()).contains("refused");
        } catch (IOException late) {
            return false;
        }
    }

    @Test
    void peerNameBecomesUnknown() throws IOException {
        Path names = Path.of(machine.namesOption().replaceFirst(".*=", ""));
        assertThat(names).content().contains(machine.peerAddress() + " " + GatewayMachine.PEER);
        machine.forgetNames();
        assertThat(names).content().contains("localhost").doesNotContain(GatewayMachine.PEER);

        machine.heal();
        assertThat(names).content().contains(GatewayMachine.PEER);
    }
}
