package dev.penstock.lab.measure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the kernel tells of the sockets for datagrams of this machine, whoever has them: /proc/net/udp and udp6 (Linux). A
 * socket of Java's is mostly in the latter.
 */
public final class KernelSockets {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));
    private static final int LOCAL = 1;

    private KernelSockets() {}

    /**
     * How many datagrams the kernel dropped at the sockets that take what is sent to an address: those bound to it and those
     * bound to every address of its port.
     *
     * @return empty when there is no such socket on this machine, or the system does not tell
     */
    public static OptionalLong dropped(InetSocketAddress to) {
        OptionalLong all = OptionalLong.empty();
        for (Path table : TABLES) {
            try {
                OptionalLong here = dropped(Files.readAllLines(table), to);
                if (here.isPresent()) {
                    all = OptionalLong.of(all.orElse(0) + here.getAsLong());
                }
            } catch (IOException | RuntimeException notTold) {
                // Another system, no IPv6, or a table that is not as it is known.
            }
        }
        return all;
    }

    /** Of the lines of one table, the heading first. */
    static OptionalLong dropped(List<String> table, InetSocketAddress to) throws UnknownHostException {
        OptionalLong all = OptionalLong.empty();
        for (String line : table.subList(Math.min(1, table.size()), table.size())) {
            String[] columns = line.strip().split("\\s+", -1);
            String[] local = columns[LOCAL].split(":", -1);
            if (Integer.parseInt(local[1], 16) == to.getPort() && takes(address(local[0]), to.getAddress())) {
                all = OptionalLong.of(all.orElse(0) + Long.parseLong(columns[columns.length - 1]));
            }
        }
        return all;
    }

    private static boolean takes(InetAddress bound, InetAddress to) {
        return bound.isAnyLocalAddress() || bound.equals(to);
    }

    /** Words of 4 bytes in the order of the processor, which is taken to be the lowest first; Java maps IPv4 in IPv6 itself. */
    private static InetAddress address(String hex) throws UnknownHostException {
        byte[] written = HexFormat.of().parseHex(hex);
        byte[] bytes = new byte[written.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = written[i / 4 * 4 + 3 - i % 4];
        }
        return InetAddress.getByAddress(bytes);
    }
}
