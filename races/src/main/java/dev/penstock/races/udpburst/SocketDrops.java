package dev.penstock.races.udpburst;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * What the kernel dropped at a server's sockets, seen from outside and so alike for all: the last column of /proc/net/udp, and
 * of udp6, where Java's sockets are that take both.
 */
final class SocketDrops {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));
    private static final int LOCAL = 1;
    private static final int COLUMNS = 13;

    private SocketDrops() {}

    /** At all sockets bound to a port since they were opened; empty where the system does not tell. */
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

    /** Of each socket of that port in such a table. */
    static List<Long> in(List<String> lines, int port) {
        return lines.stream()
                .skip(1)
                .map(line -> line.strip().split("\\s+", -1))
                .filter(columns -> columns.length >= COLUMNS && port(columns[LOCAL]) == port)
                .map(columns -> Long.valueOf(columns[columns.length - 1]))
                .toList();
    }

    /** Of an address such as {@code 0100007F:C350}. */
    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
    }
}
