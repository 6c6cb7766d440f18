package dev.penstock.races.udpburst;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The datagrams that the kernel dropped at a server's sockets, read from outside the process and so in the same way for
 * all contestants: the last column of /proc/net/udp, and of /proc/net/udp6, which lists Java's dual-stack sockets.
 */
final class SocketDrops {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));
    private static final int LOCAL = 1;
    private static final int COLUMNS = 13;

    private SocketDrops() {}

    /** The drops at all sockets bound to a port since they were opened; empty if the system does not report them. */
    static OptionalLong at(int port) throws IOException {
        LongStream found = LongStream.empty();
        for (Path table : TABLES) {
            if (Files.isReadable(table)) {
                found = LongStream.concat(
                        found, in(Files.readAllLines(table), port).stream().mapToLong(Long::longValue));
            }
        }
        long[] drops = found.toArray();
        return drops.length == 0
                ? OptionalLong.empty()
                : OptionalLong.of(LongStream.of(drops).sum());
    }

    /** The drops of each socket of a port in such a table. */
    static List<Long> in(List<String> lines, int port) {
        return lines.stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+", -1))
                .filter(columns -> columns.length >= COLUMNS && port(columns[LOCAL]) == port)
                .map(columns -> Long.valueOf(columns[columns.length - 1]))
                .toList();
    }

    /** The port of an address such as {@code 0100007F:C350}. */
    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }
}
