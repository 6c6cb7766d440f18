package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Datagrams. Null stands for what the file leaves to Penstock.
 *
 * @param port where it listens; 1 to 65535, or 0 for any free one
 * @param host the address it listens on; 127.0.0.1 unless given
 * @param maxSize the largest datagram, in bytes; 1 to 65,507, default 2 KB
 * @param burst how many may come at once; 1 to 1,000,000, default 10,000
 * @param buffer the receive buffer, in bytes of the kernel's memory
 * @param shards how many sockets and readers share the port; 1 to 64
 * @param ring how many wait between reading and handling; 64 to 65,536, default 16,384
 * @param waiting for how long one waits there at most; default 1 s
 * @param id where the id of a datagram is; null for none
 * @param inline whether it is answered on the thread that reads
 */
public record UdpFrom(
        Configured<Integer> port,
        Configured<String> host,
        Configured<Long> maxSize,
        Configured<Integer> burst,
        @Nullable Configured<Long> buffer,
        @Nullable Configured<Integer> shards,
        Configured<Integer> ring,
        Configured<Duration> waiting,
        @Nullable IdPlace id,
        Configured<Boolean> inline)
        implements From {
    /**
     * Some bytes of a datagram.
     *
     * @param at the first, counted from 0
     * @param length how many, 1 or more
     */
    public record IdPlace(int at, int length) {
        @Override
        public String toString() {
            return "bytes " + at + " to " + (at + length - 1);
        }
    }

    @Override
    public String kind() {
        return "udp";
    }

    @Override
    public String base() {
        return "/";
    }

    /** As it is read, with what follows from the rest of its flow. */
    UdpFrom inline(Configured<Boolean> decided) {
        return new UdpFrom(port, host, maxSize, burst, buffer, shards, ring, waiting, id, decided);
    }

    /** In one short line. */
    public String where(int at) {
        String shown = host.value().contains(":") ? "[" + host.value() + "]" : host.value();
        return "udp://" + shown + ":" + at;
    }
}
