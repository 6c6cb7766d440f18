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
 * Kernel statistics of this machine's UDP sockets, of all processes: /proc/net/udp and udp6 (Linux). Java's sockets are
 * usually in the latter.
 */
public final class KernelSockets {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6"));
    private static final int LOCAL = 1;

    private KernelSockets() {}

    /**
     * Datagrams dropped by the kernel at the sockets that receive from an address: those bound to it, and those bound
     * to the wildcard address with its port.
     *
     * @return empty without such a socket on this machine, or when not available
     */
    public static OptionalLong dropped(InetSocketAddress to) {
        OptionalLong all = OptionalLong.empty();
        for (Path table : TABLES) {
            try {
                OptionalLong here = dropped(Files.readAllLines(table), to);
                if (here.isPresent()) {
                    all = OptionalLong.of(all.orElse(0) + here.getAsLong());
                }
            } catch (IOException | RuntimeException unavailable) {
                // Another system, no IPv6, or an unknown table format.
            }
        }
        return all;
    }

    /** Sums over the lines of one table, whose first line is the heading. */
    static OptionalLong dropped(List<String> table, InetSocketAddress to) throws UnknownHostException {
        OptionalLong all = OptionalLong.empty();
        for (String line : table.subList(Math.min(1, table.size()), table.size())) {
            String[] columns = line.strip().split("\\s+", -1);
            String[] local = columns[LOCAL].split(":", -1);
            if (Integer.parseInt(local[1], 16) == to.getPort() && receives(address(local[0]), to.getAddress())) {
                all = OptionalLong.of(all.orElse(0) + Long.parseLong(columns[columns.length - 1]));
            }
        }
        return all;
    }

    private static boolean receives(InetAddress bound, InetAddress to) {
        return bound.isAnyLocalAddress() || bound.equals(to);
    }

    /**
     * Words of 4 bytes in processor byte order, assumed to be little-endian; Java itself maps IPv4 addresses in IPv6.
     */
    private static InetAddress address(String hex) throws UnknownHostException {
        byte[] written = HexFormat.of().parseHex(hex);
        byte[] bytes = new byte[written.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = written[i / 4 * 4 + 3 - i % 4];
        }
        return InetAddress.getByAddress(bytes);
    }
}
