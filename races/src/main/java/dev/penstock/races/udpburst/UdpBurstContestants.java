package dev.penstock.races.udpburst;

import dev.penstock.Service;
import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.ContestantList;
import dev.penstock.races.machine.NativeCode;
import dev.penstock.races.machine.PeerJars;
import dev.penstock.udp.ByteReplacement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The contestants of the race. Each is a server in its own process. All except the limits do the same work with the
 * same code.
 */
final class UdpBurstContestants {
    static final String C_MMSG = "c-mmsg";
    static final String PLAIN_DEFAULT = "plain-default";
    static final String PLAIN_70MB = "plain-70mb";
    static final String CHANNEL = "channel";
    static final String NETTY = "netty";
    static final String INLINE = "penstock-inline";
    static final String FLOW = "penstock-flow";

    /** The receive buffer of the original program in bytes of kernel memory: 31,857 datagrams. */
    static final long BUFFER = 73_400_320;

    /** The contestant's default buffer. */
    static final long OWN_CHOICE = 0;

    private static final List<String> JVM = List.of("-Xmx64m", "-Xmn32m");
    private static final PeerJars NETTY_JARS = new PeerJars("app-netty42");

    private static @Nullable Path echo;

    static final ContestantList<ServerProcess> ALL = ContestantList.<ServerProcess>inside("udp-burst")
            .add(
                    C_MMSG,
                    Role.LIMIT,
                    Map.of("how", "C, recvmmsg of 64, memmem, sendmmsg"),
                    new ServerProcess(BUFFER, false, buffer -> echo(buffer, "0")),
                    NativeCode::whyNot)
            .add(
                    "c-segment",
                    Role.LIMIT,
                    Map.of("how", "the same, answers with UDP_SEGMENT"),
                    new ServerProcess(BUFFER, false, buffer -> echo(buffer, "1")),
                    NativeCode::whyNot)
            // The original program, as it was at first, and as it became.
            .add(
                    PLAIN_DEFAULT,
                    Role.BEFORE,
                    "DatagramSocket, one thread, the system's default buffer",
                    new ServerProcess(OWN_CHOICE, false, buffer -> java("socket", buffer)))
            .add(
                    PLAIN_70MB,
                    Role.AFTER,
                    "DatagramSocket, one thread",
                    new ServerProcess(BUFFER, true, buffer -> java("socket", buffer)))
            .add(
                    CHANNEL,
                    Role.PEER,
                    "blocking DatagramChannel, one thread, direct buffers",
                    new ServerProcess(BUFFER, true, buffer -> java("channel", buffer)))
            .add(
                    NETTY,
                    Role.PEER,
                    Map.of("how", "Netty 4.2 with epoll, one event loop, recvmmsg of 64, answers flushed together"),
                    new ServerProcess(BUFFER, true, UdpBurstContestants::netty),
                    NETTY_JARS::whyNot)
            .add(
                    INLINE,
                    Role.OURS,
                    "answers on the reader thread",
                    new ServerProcess(BUFFER, false, buffer -> java("inline", buffer)))
            .add(
                    FLOW,
                    Role.OURS,
                    "behind a flow: deadline 1 s, adaptive limit, meter",
                    new ServerProcess(BUFFER, false, buffer -> java("flow", buffer)));

    private UdpBurstContestants() {}

    /** Whether a contestant is Penstock, which chooses its buffer itself when nothing is configured. */
    static boolean isOurs(String name) {
        return ALL.entry(name).role() == Role.OURS;
    }

    private static List<String> java(String kind, long buffer) {
        return ChildJvm.command(JVM, ServerMain.class, kind, String.valueOf(buffer));
    }

    /** Without anything that depends on Netty 4.1. */
    private static List<String> netty(long buffer) {
        List<Class<?>> ours = List.of(ProcessProbe.class, Service.class, ByteReplacement.class);
        return NETTY_JARS.command(JVM, ServerMain.class, ours, "netty", String.valueOf(buffer));
    }

    /** The server in C, compiled once per race. */
    private static synchronized List<String> echo(long buffer, String segmented)
            throws IOException, InterruptedException {
        if (echo == null) {
            echo = NativeCode.build(UdpBurstContestants.class, "echo.c", "-pthread");
        }
        return List.of(
                echo.toString(),
                new String(UdpBurstTraffic.find(), StandardCharsets.US_ASCII),
                new String(UdpBurstTraffic.with(), StandardCharsets.US_ASCII),
                String.valueOf(buffer),
                segmented);
    }

    /**
     * A server.
     *
     * @param buffer its receive buffer in bytes of kernel memory where all have the same, except the one that keeps the
     *     system's default
     * @param needsRaisedLimit whether its buffer cannot exceed the system's limit, so that the limit is raised first
     * @param command of its process, for a receive buffer; {@link #OWN_CHOICE} for its default
     */
    record ServerProcess(long buffer, boolean needsRaisedLimit, Command command) {
        interface Command {
            List<String> with(long buffer) throws IOException, InterruptedException;
        }
    }
}
