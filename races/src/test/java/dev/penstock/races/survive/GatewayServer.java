package dev.penstock.races.survive;

import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.kit.StablePort;
import dev.penstock.races.GatewayMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A gateway in its own process, on its own {@link GatewayMachine}.
 *
 * <p>Thread-safe.
 */
final class GatewayServer extends ChildServer {
    /** What its admin port asks for. */
    static final String ADMIN_TOKEN = "survive-0123456789";

    /** The request paths of its flows. */
    static final String WITHOUT_BREAKER = "/plain";

    static final String WITH_BREAKER = "/breaker";

    private static final List<String> JVM = List.of(
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            // Expire cached addresses after a second, so that a name resolution fault takes effect within a schedule.
            "-Dsun.net.inetaddr.ttl=1");

    /**
     * The port where its flows expect their target, at {@link GatewayMachine#peerAddress}. It must not be a port that
     * other tests might use: a listener on all addresses would occupy this one too.
     */
    static final int PEER_PORT = 80;

    private static final int LAST_LINES = 10;

    private final GatewayMachine machine;
    private final int adminPort = StablePort.free();
    private @Nullable String descriptors;

    private GatewayServer(GatewayMachine machine) throws IOException {
        this.machine = machine;
    }

    /** Starts a gateway. */
    static GatewayServer start() throws IOException {
        GatewayServer server = new GatewayServer(GatewayMachine.build());
        try {
            server.restart();
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    GatewayMachine machine() {
        return machine;
    }

    /** The URL of a request path. */
    String url(String path) {
        return "http://%s:%d%s".formatted(machine.address(), port(), path);
    }

    /** The URL of an admin page. */
    String adminUrl(String page) {
        return "http://%s:%d/%s".formatted(machine.address(), adminPort, page);
    }

    @Override
    ProcessBuilder command() throws IOException {
        Path flows = Files.writeString(machine.folder().resolve("flows.yaml"), flows());
        List<String> options = new ArrayList<>(JVM);
        options.add(machine.namesOption());
        return machine.command(ChildJvm.command(options, GatewayMain.class, flows.toString()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log().toFile()));
    }

    private Path log() {
        return machine.folder().resolve("log");
    }

    /** The reason why it is not running although nobody killed it; empty if it is running. */
    Optional<String> whyEnded() throws IOException {
        if (exitCode().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                "the gateway exited with code %d%s".formatted(exitCode().getAsInt(), lastLines()));
    }

    @Override
    String lastLines() throws IOException {
        List<String> lines = Files.readAllLines(log());
        return "; the last lines of its log: " + lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
    }

    private String flows() {
        return """
                state: %s
                admin: { port: %d, host: %s, insecure: true, token: %s }
                flows:
                """.formatted(machine.disk().resolve("state"), adminPort, machine.address(), ADMIN_TOKEN)
                + flow(WITHOUT_BREAKER, "off")
                + flow(WITH_BREAKER, "auto");
    }

    private String flow(String path, String breaker) {
        return """
                %s:
                  from: { http: { port: %d, host: %s, insecure: true, path: %s } }
                  to: { http: { url: "http://%s:%d" } }
                  deadline: %dms
                  dedupe: %s
                  breaker: %s
                """.formatted(
                        path.substring(1),
                        port(),
                        machine.address(),
                        path,
                        GatewayMachine.PEER,
                        PEER_PORT,
                        FaultPlan.DEADLINE.toMillis(),
                        HttpSubject.KEY,
                        breaker)
                .indent(2);
    }

    /**
     * Prevents it from opening files and sockets and from accepting connections, until {@link #giveDescriptors} is
     * called.
     */
    void takeDescriptors() throws IOException {
        if (exitCode().isPresent()) {
            return;
        }
        String pid = String.valueOf(pid());
        descriptors = GatewayMachine.run("prlimit", "--pid", pid, "--nofile", "--noheadings", "--raw", "--output=SOFT");
        GatewayMachine.run("prlimit", "--pid", pid, "--nofile=1:");
    }

    /** Undoes {@link #takeDescriptors}. */
    void giveDescriptors() throws IOException {
        if (descriptors != null && exitCode().isEmpty()) {
            GatewayMachine.run("prlimit", "--pid", String.valueOf(pid()), "--nofile=" + descriptors + ":");
        }
        descriptors = null;
    }

    @Override
    public synchronized void close() throws IOException {
        super.close();
        machine.close();
    }
}
