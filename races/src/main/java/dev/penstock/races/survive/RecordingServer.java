package dev.penstock.races.survive;

import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import dev.penstock.kit.program.RestartableServer;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server in a process of its own that keeps the ids which it received in a file, before it answers.
 *
 * <p>Safe for many threads.
 */
final class RecordingServer implements RestartableServer {
    /** What its process says when it serves. */
    static final String SERVES = "serves";

    private static final List<String> SOON_UP = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Protocol protocol;
    private final int port;
    private final Path file;
    private @Nullable Process process;
    private @Nullable SuspendedProcess suspended;

    private RecordingServer(Protocol protocol) throws IOException {
        this.protocol = protocol;
        this.port = StablePort.free();
        this.file = Files.createTempFile("penstock-received", ".txt");
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
    public int port() {
        return port;
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
    public synchronized void kill() throws IOException {
        if (process != null) {
            Programs.kill(process);
            process = null;
            resume();
        }
    }

    @Override
    public synchronized void restart() throws IOException {
        kill();
        process = new ProcessBuilder(ChildJvm.command(
                        SOON_UP, RecordingServerMain.class, protocol.name(), String.valueOf(port), file.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (!SERVES.equals(line)) {
            throw new IOException("the " + protocol + " server did not start on port " + port);
        }
    }

    @Override
    public synchronized void suspend() throws IOException {
        if (process != null && suspended == null) {
            suspended = SuspendedProcess.suspend(process);
        }
    }

    @Override
    public synchronized void resume() throws IOException {
        if (suspended != null) {
            suspended.close();
            suspended = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        kill();
        Files.deleteIfExists(file);
    }
}
