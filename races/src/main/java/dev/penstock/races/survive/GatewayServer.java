package dev.penstock.races.survive;

import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.kit.StablePort;
import dev.penstock.races.hop.GatewayMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A gateway in a process of its own, on a machine of its own.
 *
 * <p>Safe for many threads.
 */
final class GatewayServer extends ChildServer {
    /** The paths of its flows. */
    static final String WITHOUT_BREAKER = "/plain";

    static final String WITH_BREAKER = "/breaker";

    private static final List<String> JVM = List.of(
            "-Xmx64m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            // What is found is looked up again after a second, so that names that are gone matter.
            "-Dsun.net.inetaddr.ttl=1");

    private final GatewayMachine machine;
    private final int peerPort = StablePort.free();
    private final int adminPort = StablePort.free();
    private @Nullable String descriptors;

    private GatewayServer(GatewayMachine machine) throws IOException {
        this.machine = machine;
    }

    /** Starts one. */
    static GatewayServer start() throws IOException {
        GatewayServer server = new GatewayServer(GatewayMachine.build());
        server.restart();
        return server;
    }

    GatewayMachine machine() {
        return machine;
    }

    /** Where its flows expect their target, on the machine's {@link GatewayMachine#peerAddress}. */
    int peerPort() {
        return peerPort;
    }

    /** The URL of one of its paths. */
    String url(String path) {
        return "http://%s:%d%s".formatted(machine.address(), port(), path);
    }

    /** The URL of one of its admin pages. */
    String adminUrl(String page) {
        return "http://%s:%d/%s".formatted(machine.address(), adminPort, page);
    }

    @Override
    ProcessBuilder command() throws IOException {
        Path flows = Files.writeString(machine.folder().resolve("flows.yaml"), flows());
        Path log = machine.folder().resolve("log");
        return machine.command(ChildJvm.command(JVM, GatewayMain.class, flows.toString()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    private String flows() {
        return """
                state: %s
                admin: { port: %d, host: %s }
                flows:
                """.formatted(machine.disk().resolve("state"), adminPort, machine.address())
                + flow(WITHOUT_BREAKER, "off")
                + flow(WITH_BREAKER, "auto");
    }

    private String flow(String path, String breaker) {
        return """
                %s:
                  from: { http: { port: %d, host: %s, path: %s } }
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
                        peerPort,
                        Schedule.DEADLINE.toMillis(),
                        HttpSubject.KEY,
                        breaker)
                .indent(2);
    }

    /** It can open no file and no socket, and accept no connection, until it is told otherwise. */
    void takeDescriptors() throws IOException {
        String pid = String.valueOf(pid());
        descriptors = GatewayMachine.run("prlimit", "--pid", pid, "--nofile", "--noheadings", "--raw", "--output=SOFT");
        GatewayMachine.run("prlimit", "--pid", pid, "--nofile=1:");
    }

    /** Ends that. */
    void giveDescriptors() throws IOException {
        if (descriptors != null) {
            GatewayMachine.run("prlimit", "--pid", String.valueOf(pid()), "--nofile=" + descriptors + ":");
            descriptors = null;
        }
    }

    @Override
    public synchronized void close() throws IOException {
        super.close();
        machine.close();
    }
}
