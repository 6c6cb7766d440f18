package dev.penstock.races.udpburst;

import dev.penstock.Service;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.machine.NativeCode;
import dev.penstock.udp.ByteReplacement;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The contestants by name. Each is a server in its own process. All except the limits do the same work with the same
 * code.
 */
enum UdpBurstContestants {
    /** The limit of the machine. */
    C_MMSG("c-mmsg", Role.LIMIT, "C, recvmmsg of 64, memmem, sendmmsg"),

    /** The limit of the machine if the kernel segments the answers. */
    C_SEGMENT("c-segment", Role.LIMIT, "the same, answers with UDP_SEGMENT"),

    /** The original program, as it was at first. */
    PLAIN_DEFAULT("plain-default", Role.BEFORE, "DatagramSocket, one thread, the system's default buffer"),

    /** The original program, as it became. */
    PLAIN_70MB("plain-70mb", Role.AFTER, "DatagramSocket, one thread"),

    /** The best that the JDK alone offers. */
    CHANNEL("channel", Role.PEER, "blocking DatagramChannel, one thread, direct buffers"),

    /** See {@link NettyServer}. */
    NETTY("netty", Role.PEER, "Netty 4.2 with epoll, one event loop, recvmmsg of 64, answers flushed together"),

    /** Penstock, answering on the reader threads. */
    INLINE("penstock-inline", Role.OURS, "answers on the reader thread"),

    /** Penstock, answering behind stages. */
    FLOW("penstock-flow", Role.OURS, "behind a flow: deadline 1 s, adaptive limit, meter");

    /** The receive buffer of the original program in bytes of kernel memory: 31,857 datagrams. */
    static final long BUFFER = 73_400_320;

    /** The contestant's default buffer. */
    static final long OWN_CHOICE = 0;

    private static final List<String> JVM = List.of(
            "-Xmx64m", "-Xmn32m", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private final String title;
    private final Role role;
    private final String how;

    UdpBurstContestants(String title, Role role, String how) {
        this.title = title;
        this.role = role;
        this.how = how;
    }

    /**
     * The contestant with a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static UdpBurstContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.title.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("udp-burst has no contestant " + name));
    }

    /** The entries of those contestants that can run here. */
    static List<Entry> entries(Stream<UdpBurstContestants> of) {
        return of.filter(contestant -> contestant.whyNot().isEmpty())
                .map(UdpBurstContestants::entry)
                .toList();
    }

    /** The contestants that cannot run here and why, as a suffix for a sentence; empty if all can. */
    static String skipped(Stream<UdpBurstContestants> of) {
        Map<String, List<String>> byReason = of.filter(
                        contestant -> contestant.whyNot().isPresent())
                .collect(Collectors.groupingBy(
                        contestant -> contestant.whyNot().orElse(""),
                        TreeMap::new,
                        Collectors.mapping(contestant -> contestant.title, Collectors.toList())));
        return byReason.entrySet().stream()
                .map(reason -> "; SKIPPED " + String.join(", ", reason.getValue()) + ": " + reason.getKey())
                .collect(Collectors.joining());
    }

    /** The name in the race. */
    String title() {
        return title;
    }

    boolean isOurs() {
        return role == Role.OURS;
    }

    Entry entry() {
        return Entry.inside(title, role, Map.of("how", how));
    }

    /** The reason why it cannot run here, in a few words; empty if it can. */
    Optional<String> whyNot() {
        return switch (this) {
            case C_MMSG, C_SEGMENT -> NativeCode.whyNot();
            case NETTY ->
                Files.isDirectory(netty42())
                        ? Optional.empty()
                        : Optional.of("its jars are not in " + netty42() + ": build the module races with mvn package");
            default -> Optional.empty();
        };
    }

    /** Whether its receive buffer cannot exceed the system's limit, so that the limit must be raised first. */
    boolean needsRaisedLimit() {
        return this == PLAIN_70MB || this == CHANNEL || this == NETTY;
    }

    /**
     * The buffer in courses where all contestants have the same one, except the one that keeps the system's default.
     */
    long buffer() {
        return this == PLAIN_DEFAULT ? OWN_CHOICE : BUFFER;
    }

    /**
     * The command of its process.
     *
     * @param buffer bytes of kernel memory, {@link #OWN_CHOICE} for the default
     */
    List<String> command(long buffer) throws IOException, InterruptedException {
        return switch (this) {
            case C_MMSG -> NativeEcho.command(buffer, false);
            case C_SEGMENT -> NativeEcho.command(buffer, true);
            case PLAIN_DEFAULT, PLAIN_70MB -> java(here(), "socket", buffer);
            case CHANNEL -> java(here(), "channel", buffer);
            case NETTY -> java(withNetty42(), "netty", buffer);
            case INLINE -> java(here(), "inline", buffer);
            case FLOW -> java(here(), "flow", buffer);
        };
    }

    private static List<String> java(String classPath, String kind, long buffer) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", classPath, ServerMain.class.getName(), kind, String.valueOf(buffer)));
        return command;
    }

    private static String here() {
        return System.getProperty("java.class.path");
    }

    /**
     * A class path with Netty 4.2 and nothing that depends on 4.1: this race, and the Penstock classes that its server
     * process needs.
     */
    private static String withNetty42() {
        return Stream.concat(
                        Stream.of(ServerMain.class, ProcessProbe.class, Service.class, ByteReplacement.class)
                                .map(UdpBurstContestants::origin)
                                .map(Path::toString)
                                .distinct(),
                        Stream.of(netty42().resolve("*").toString()))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The folder next to this module's classes, or two levels above its jar. */
    private static Path netty42() {
        Path origin = origin(ServerMain.class);
        return (Files.isDirectory(origin) ? origin.resolve("..") : origin.resolve("../.."))
                .resolve("app-netty42")
                .normalize();
    }

    private static Path origin(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return Path.of(source.getLocation().getPath());
    }

    /** The server in C, compiled once per race. */
    private static final class NativeEcho {
        private static @Nullable Path built;

        private NativeEcho() {}

        /** The command that runs it. */
        static List<String> command(long buffer, boolean segmented) throws IOException, InterruptedException {
            return List.of(
                    program().toString(),
                    new String(UdpBurstTraffic.find(), StandardCharsets.US_ASCII),
                    new String(UdpBurstTraffic.with(), StandardCharsets.US_ASCII),
                    String.valueOf(buffer),
                    segmented ? "1" : "0");
        }

        private static synchronized Path program() throws IOException, InterruptedException {
            if (built == null) {
                built = NativeCode.build(NativeEcho.class, "echo.c", "-pthread");
            }
            return built;
        }
    }
}
