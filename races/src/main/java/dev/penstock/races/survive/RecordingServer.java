package dev.penstock.races.survive;

import dev.penstock.jms.kit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server in a process of its own that keeps the ids which it received in a file, before it answers.
 *
 * <p>Safe for many threads.
 */
final class RecordingServer extends ChildServer {
    private static final List<String> SOON_UP = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Protocol protocol;
    private final Path file = Files.createTempFile("penstock-received", ".txt");

    private RecordingServer(Protocol protocol) throws IOException {
        this.protocol = protocol;
    }

    /** What it speaks. */
    enum Protocol {
        HTTP,
        UDP
    }

    /** Starts one that received nothing yet. */
    static RecordingServer start(Protocol protocol) throws IOException {
        RecordingServer server = new RecordingServer(protocol);
        server.restart();
        return server;
    }

    @Override
    ProcessBuilder command() {
        return new ProcessBuilder(ChildJvm.command(
                        SOON_UP, RecordingServerMain.class, protocol.name(), String.valueOf(port()), file.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** Forgets what it received. */
    void clear() throws IOException {
        Files.write(file, new byte[0]);
    }

    /** How often it received each id. */
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
