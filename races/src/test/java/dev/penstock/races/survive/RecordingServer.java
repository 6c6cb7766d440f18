package dev.penstock.races.survive;

import dev.penstock.jms.kit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server in its own process that writes each received id to a file before it answers.
 *
 * <p>Thread-safe.
 */
final class RecordingServer extends ChildServer {
    private static final List<String> FAST_STARTUP = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Protocol protocol;
    private final Path file = Files.createTempFile("penstock-received", ".txt");

    private RecordingServer(Protocol protocol) throws IOException {
        this.protocol = protocol;
    }

    /** The server's protocol. */
    enum Protocol {
        HTTP,
        UDP
    }

    /** Starts a server with an empty record. */
    static RecordingServer start(Protocol protocol) throws IOException {
        RecordingServer server = new RecordingServer(protocol);
        server.restart();
        return server;
    }

    @Override
    ProcessBuilder command() {
        return new ProcessBuilder(ChildJvm.command(
                        FAST_STARTUP,
                        RecordingServerMain.class,
                        protocol.name(),
                        String.valueOf(port()),
                        file.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** Clears the record. */
    void clear() throws IOException {
        Files.write(file, new byte[0]);
    }

    /** How often each id was received. */
    Map<String, Integer> received() throws IOException {
        Map<String, Integer> received = new HashMap<>();
        for (String id : Files.readAllLines(file)) {
            received.merge(id, 1, Integer::sum);
        }
        return received;
    }

    @Override
    public synchronized void close() throws IOException {
        super.close();
        Files.deleteIfExists(file);
    }
}
