package dev.penstock.jms.kit;

import dev.penstock.jms.JmsBroker;
import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A third-party broker on its own class path, which the module jms/brokers collects in {@code -Pfull}. It ends with
 * this JVM, however that ends. For one thread.
 */
public final class JarBroker implements TestedBroker {
    private static final Path JARS = Path.of("brokers", "target", "jars");
    private static final long STARTS_WITHIN_SECONDS = 120;

    private final Path folder;
    private final String program;
    private final List<String> queues;
    private final int port;
    private @Nullable Process process;

    private JarBroker(Path folder, String program, List<String> queues) throws IOException {
        this.folder = folder;
        this.program = program;
        this.queues = List.copyOf(queues);
        this.port = StablePort.free();
    }

    /** Whether its jars are present. */
    public static boolean isThere() {
        return Files.isDirectory(JARS);
    }

    /**
     * Starts a broker.
     *
     * @param folder for its files
     * @param program the name of a file in jms/brokers, without {@code .java}
     * @param queues queues to create
     * @throws IOException when it does not start, with its last log lines
     */
    public static JarBroker start(Path folder, String program, List<String> queues) throws IOException {
        JarBroker made = new JarBroker(folder, program, queues);
        made.restart();
        return made;
    }

    @Override
    public JmsBroker at() {
        return JmsBroker.at("amqp://127.0.0.1:" + port);
    }

    @Override
    public String topic(String name) {
        // Qpid Broker-J has exchanges, which it does not create.
        return program.equals("QpidBroker") ? "amq.topic/" + name : name;
    }

    @Override
    public void kill() {
        if (process != null) {
            process.destroyForcibly().onExit().join();
            process = null;
        }
    }

    @Override
    public void restart() throws IOException {
        kill();
        Path out = folder.resolve("out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dderby.stream.error.file=" + folder.resolve("derby.log"),
                "-cp",
                JARS + "/*",
                Path.of("brokers", program + ".java").toString(),
                folder.toString(),
                String.valueOf(port)));
        command.addAll(queues);
        // Its standard input is a pipe from this JVM, so that it ends with it.
        Process started = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        process = started;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTS_WITHIN_SECONDS);
        while (!Files.readString(out).contains("@broker up")) {
            if (!started.isAlive() || System.nanoTime() - end > 0) {
                kill();
                throw new IOException(program + " did not start; it said: " + Files.readString(out));
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Override
    public void close() {
        kill();
    }
}
