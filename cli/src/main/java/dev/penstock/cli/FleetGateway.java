package dev.penstock.cli;

import dev.penstock.cli.top.AdminPages;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A gateway in a process of its own, to be killed and started again, with the ports that the system chose at its first start. Used by
 * one thread, except {@link #members} and {@link #share}.
 */
final class FleetGateway implements AutoCloseable {
    private static final Duration STARTING = Duration.ofSeconds(60);
    private static final long LOOK_AGAIN_NANOS = 100_000_000;
    private static final long CLOSING_SECONDS = 10;
    /** What it prints when it serves: the port of its first flow, and that of its admin pages. */
    private static final Pattern SERVING =
            Pattern.compile("(?s): http://127\\.0\\.0\\.1:(\\d+)/ -> .*\nadmin: http://127\\.0\\.0\\.1:(\\d+)/\n");

    private final Path folder;
    private final Path file;
    private final Path log;
    private final IntFunction<String> flows;
    private volatile @Nullable Process process;
    private volatile @Nullable AdminPages admin;
    private volatile String url = "";

    private FleetGateway(Path folder, IntFunction<String> flows) {
        this.folder = folder;
        this.file = folder.resolve("flows.yaml");
        this.log = folder.resolve("log");
        this.flows = flows;
    }

    /**
     * Writes its flow file and starts it.
     *
     * @param flows the flows for a port
     */
    static FleetGateway start(Path folder, IntFunction<String> flows) throws IOException {
        FleetGateway gateway = new FleetGateway(folder, flows);
        gateway.write(0, 0);
        gateway.restart();
        return gateway;
    }

    private void write(int port, int adminPort) throws IOException {
        Files.writeString(
                file,
                "admin: { port: %d }\nstate: %s\n".formatted(adminPort, folder.resolve("state")) + flows.apply(port));
    }

    /** Where it takes requests, once it is ready. */
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
            pause();
        }
    }

    /** What polls for a change waits for so long. */
    static void pause() throws InterruptedException {
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private boolean isReady() throws IOException, InterruptedException {
        AdminPages known = admin;
        AdminPages pages = known == null ? findPorts() : known;
        try {
            return pages != null
                    && pages.json("ready").path("status").asString("").equals("ready");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** The admin pages at the port that the system chose; null as long as it does not serve. It keeps its ports from then on. */
    private @Nullable AdminPages findPorts() throws IOException {
        Matcher serving = SERVING.matcher(Files.readString(log, StandardCharsets.ISO_8859_1));
        if (!serving.find()) {
            return null;
        }
        write(Integer.parseInt(serving.group(1)), Integer.parseInt(serving.group(2)));
        url = "http://127.0.0.1:" + serving.group(1) + "/";
        AdminPages found = AdminPages.of("127.0.0.1:" + serving.group(2));
        admin = found;
        return found;
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
        AdminPages pages = admin;
        try {
            return pages == null
                    ? List.of()
                    : pages.json("fleet")
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

    /** Lets it drain. */
    void stop() {
        Process running = process;
        if (running != null) {
            running.destroy();
        }
    }

    /** Lets it drain, or kills it. */
    @Override
    public void close() {
        AdminPages pages = admin;
        if (pages != null) {
            pages.close();
        }
        stop();
        Process running = process;
        if (running != null) {
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
