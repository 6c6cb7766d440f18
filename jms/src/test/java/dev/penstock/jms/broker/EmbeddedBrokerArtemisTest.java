package dev.penstock.jms.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedBrokerArtemisTest {
    private static final String HOST = "127.0.0.1";

    @TempDir
    private Path folder;

    @Test
    void reportsAFolderInUseAndOpensItAfterwards() throws Exception {
        try (EmbeddedBroker _ = EmbeddedBroker.in(folder)) {
            assertThatThrownBy(() -> EmbeddedBroker.start(folder, null, 0, null, 50))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "another broker uses the folder; configure a folder that no other broker uses");
        }
        EmbeddedBroker.in(folder).close();
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Test
    void onlyTheUserMayReadTheJournal() throws Exception {
        Path journal = folder.resolve("state/made");
        EmbeddedBroker.in(journal).close();
        assertThat(permissions(folder.resolve("state"))).isEqualTo("rwx------");
        assertThat(permissions(journal)).isEqualTo("rwx------");
        Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (EmbeddedBroker _ = EmbeddedBroker.in(journal);
                Stream<Path> all = Files.walk(journal)) {
            assertThat(all)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(path -> assertThat(permissions(path))
                            .as(path.toString())
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    void requiresTheLoginIfAUserIsConfigured() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder, HOST, 0, "penstock", "s3cret")) {
            for (String url : List.of(broker.url(), broker.localUrl())) {
                assertThatThrownBy(() -> send(JmsBroker.at(url))).hasMessageContaining("rejected the login");
                assertThatThrownBy(() -> send(JmsBroker.at(url).user("penstock", "guess")))
                        .hasMessageContaining("rejected the login");
                send(JmsBroker.at(url).user("penstock", "s3cret"));
            }
            assertThat(broker.count("q")).isEqualTo(2);
        }
    }

    private static void send(JmsBroker at) throws Exception {
        try (JmsTarget target = JmsTarget.at(at).queue("q").build()) {
            target.call(JmsMessage.text("m"));
        }
    }

    @Test
    void reportsAPortInUseAndFreesTheFolder() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            assertThatThrownBy(() -> EmbeddedBroker.on(folder, HOST, taken.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("to 127.0.0.1:" + taken.getLocalPort())
                    .hasMessageEndingWith("and a free port");
        }
        EmbeddedBroker.in(folder).close();
    }
}
