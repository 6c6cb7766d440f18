package dev.penstock.lab.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Kernel socket counters of this machine or container, over all processes. Read from {@code /proc/net/snmp} and
 * {@code snmp6} (proc(5), RFC 4022, RFC 4113); a datagram to a dual-stack socket counts in the latter.
 *
 * @param tcpEstablished current connections; -1 when not available
 * @param tcpRetransmits retransmitted segments since the system started; -1 when not available
 * @param udpDrops datagrams dropped at full receive buffers since the system started; -1 when not available
 */
record SocketCounters(long tcpEstablished, long tcpRetransmits, long udpDrops) {
    private static final Path PROC_NET = Path.of("/proc/net");

    static SocketCounters now() {
        return in(PROC_NET);
    }

    static SocketCounters in(Path net) {
        List<String> both = lines(net.resolve("snmp"));
        long udp = value(both, "Udp:", "RcvbufErrors");
        long udp6 = single(lines(net.resolve("snmp6")), "Udp6RcvbufErrors");
        return new SocketCounters(
                value(both, "Tcp:", "CurrEstab"),
                value(both, "Tcp:", "RetransSegs"),
                udp < 0 ? udp6 : udp + Math.max(udp6, 0));
    }

    /** A line of names followed by a line of values, both starting with the protocol. */
    private static long value(List<String> lines, String protocol, String name) {
        List<String> two =
                lines.stream().filter(line -> line.startsWith(protocol)).toList();
        if (two.size() < 2) {
            return -1;
        }
        int at = List.of(two.getFirst().split(" ", -1)).indexOf(name);
        String[] values = two.get(1).split(" ", -1);
        return at < 0 || at >= values.length ? -1 : number(values[at]);
    }

    /** A name and its value on one line. */
    private static long single(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> number(line.substring(name.length()).strip()))
                .findFirst()
                .orElse(-1);
    }

    /** Without a regular expression: a load samples several times a second, beside its transactions. */
    private static long number(String digits) {
        boolean known =
                !digits.isEmpty() && digits.length() < 19 && digits.chars().allMatch(Character::isDigit);
        return known ? Long.parseLong(digits) : -1;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }
}
