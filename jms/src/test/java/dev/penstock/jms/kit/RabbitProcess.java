package dev.penstock.jms.kit;

import dev.penstock.jms.JmsBroker;
import dev.penstock.kit.StablePort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real RabbitMQ with its plugin rabbitmq_amqp1_0, as Debian packages it, in its own process on 127.0.0.1. Its name
 * server (epmd) is a child process too, so both end with {@link #close}. For one thread. Its test has
 * {@code @NeedsProgram("rabbitmq-server")}.
 */
public final class RabbitProcess implements TestedBroker {
    private static final Path SERVER = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
    private static final long STARTS_WITHIN_SECONDS = 120;

    private final Path folder;
    private final int port;
    private final int names;
    private final int peers;
    private final Process epmd;
    private @Nullable Process server;

    private RabbitProcess(Path folder, List<String> durable) throws IOException {
        port = StablePort.free();
        names = StablePort.free();
        peers = StablePort.free();
        this.folder = folder;
        Files.writeString(folder.resolve("plugins"), "[rabbitmq_amqp1_0].\n");
        Path queues = folder.resolve("queues.json");
        // Queues created by AMQP 1.0 clients are lost with the broker, so durable ones are declared first.
        Files.writeString(queues, """
                {"vhosts": [{"name": "/"}],
                 "users": [{"name": "guest", "password": "guest", "tags": "administrator"}],
                 "permissions": [{"user": "guest", "vhost": "/", "configure": ".*", "write": ".*", "read": ".*"}],
                 "queues": [%s]}
                """.formatted(
                        durable.stream().map(name -> """
                                {"name": "%s", "vhost": "/", "durable": true, "auto_delete": false, "arguments": {}}\
                                """.formatted(name)).collect(Collectors.joining(", "))));
        Files.writeString(
                folder.resolve("rabbit.conf"),
                "listeners.tcp.1 = 127.0.0.1:" + port + "\nload_definitions = " + queues + "\n");
        epmd = new ProcessBuilder("epmd", "-port", String.valueOf(names), "-address", "127.0.0.1")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("epmd.out").toFile())
                .start();
    }

    /**
     * Starts a broker.
     *
     * @param folder for its files
     * @param durable the names of queues that survive the broker's process
     * @throws IOException when it does not start, with its last log lines
     */
    public static RabbitProcess start(Path folder, List<String> durable) throws IOException {
        RabbitProcess made = new RabbitProcess(folder, durable);
        try {
            made.restart();
            return made;
        } catch (IOException failed) {
            made.close();
            throw failed;
        }
    }

    /** The login is guest with the password guest. */
    @Override
    public JmsBroker at() {
        return JmsBroker.at(url()).user("guest", "guest");
    }

    /** Under this name the queue is not declared again without {@code durable}. */
    @Override
    public String address(String queue) {
        return "/amq/queue/" + queue;
    }

    @Override
    public String topic(String name) {
        return "/topic/" + name;
    }

    /** The URL for AMQP 1.0 clients. */
    public String url() {
        return "amqp://127.0.0.1:" + port;
    }

    @Override
    public void kill() {
        if (server != null) {
            server.destroyForcibly().onExit().join();
            server = null;
        }
    }

    @Override
    public void restart() throws IOException {
        kill();
        Path out = folder.resolve("out");
        ProcessBuilder command = new ProcessBuilder(List.of(SERVER.toString()));
        command.environment()
                .putAll(Map.ofEntries(
                        Map.entry("HOME", folder.toString()),
                        Map.entry("ERL_EPMD_PORT", String.valueOf(names)),
                        Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
                        Map.entry("RABBITMQ_NODENAME", "penstock" + port + "@localhost"),
                        Map.entry("RABBITMQ_DIST_PORT", String.valueOf(peers)),
                        Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString()),
                        Map.entry("RABBITMQ_LOGS", "-"),
                        Map.entry(
                                "RABBITMQ_ENABLED_PLUGINS_FILE",
                                folder.resolve("plugins").toString()),
                        Map.entry(
                                "RABBITMQ_CONFIG_FILE",
                                folder.resolve("rabbit.conf").toString()),
                        Map.entry("RABBITMQ_CONF_ENV_FILE", "/dev/null"),
                        // The script replaces itself by the broker, so this process is the broker.
                        Map.entry("RUNNING_UNDER_SYSTEMD", "true")));
        Process started = command.redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        server = started;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(STARTS_WITHIN_SECONDS);
        while (!Files.readString(out).contains("Server startup complete")) {
            if (!started.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException("RabbitMQ did not start; it said: " + Files.readString(out));
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        epmd.destroyForcibly().onExit().join();
        try (Stream<Path> all = Files.list(folder)) {
            // The folder itself belongs to the caller.
            all.filter(Files::isRegularFile).forEach(file -> file.toFile().delete());
        }
    }
}
