package dev.penstock.cli;

import dev.penstock.cli.top.AdminPages;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A gateway in a process of its own, to be killed and started again, with the same ports. Used by one thread, except {@link #share}. */
final class FleetGateway implements AutoCloseable {
    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final long LOOK_AGAIN_NANOS = 100_000_000;
    private static final long CLOSING_SECONDS = 10;

    private final Path file;
    private final Path log;
    private final String url;
    private final AdminPages admin;
    private volatile @Nullable Process process;

    private FleetGateway(Path file, Path log, String url, AdminPages admin) {
        this.file = file;
        this.log = log;
        this.url = url;
        this.admin = admin;
    }

    /**
     * Writes its flow file and starts it.
     *
     * @param flows the flows for a port
     */
    static FleetGateway start(Path folder, IntFunction<String> flows) throws Exception {
        int port = freePort();
        int adminPort = freePort();
        Path file = Files.writeString(
                folder.resolve("flows.yaml"),
                "admin: { port: %d }\nstate: %s\n".formatted(adminPort, folder.resolve("state")) + flows.apply(port));
        FleetGateway gateway = new FleetGateway(
                file, folder.resolve("log"), "http://127.0.0.1:" + port + "/", AdminPages.of("127.0.0.1:" + adminPort));
        gateway.restart();
        return gateway;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Where it takes requests. */
    String url() {
        return url;
    }

    /** Starts its process. */
    void restart() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-Xmx256m", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Penstock.class.getName(), "serve", file.toString()));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /**
     * Waits until it is ready.
     *
     * @throws IOException it is not, with what it wrote
     */
    void awaitReady() throws IOException, InterruptedException {
        long until = System.nanoTime() + STARTING.toNanos();
        while (!isReady()) {
            Process running = process;
            if (running == null || !running.isAlive() || System.nanoTime() - until > 0) {
                throw new IOException("a gateway does not start: " + Files.readString(log));
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private boolean isReady() throws InterruptedException {
        try {
            return admin.json("ready").path("status").asString("").equals("ready");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Kill -9. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    /** The members of the fleet at its last meeting; empty when it does not answer. */
    List<JsonNode> members() throws InterruptedException {
        try {
            return admin.json("fleet")
                    .path("fleets")
                    .path(0)
                    .path("members")
                    .valueStream()
                    .toList();
        } catch (IOException down) {
            return List.of();
        }
    }

    /** Its share among these members; 0 while it is not one of them. */
    double share(List<JsonNode> members) {
        Process running = process;
        String pid = running == null ? "" : "-" + running.pid() + "-";
        return members.stream()
                .filter(member -> member.path("name").asString("").contains(pid))
                .mapToDouble(member -> member.path("holds").asDouble())
                .findFirst()
                .orElse(0);
    }

    /** Lets it drain, or kills it. */
    @Override
    public void close() {
        admin.close();
        Process running = process;
        if (running != null) {
            running.destroy();
            try {
                if (!running.waitFor(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                    kill();
                }
            } catch (InterruptedException stopped) {
                kill();
                Thread.currentThread().interrupt();
            }
        }
    }
}
