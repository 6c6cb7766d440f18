package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.udp.Datagram;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A UDP source. Null means automatic.
 *
 * @param port the listen port; 1 to 65535, or 0 for any free port
 * @param host the listen address; default 127.0.0.1
 * @param maxSize the largest datagram, in bytes; 1 to 65,507, default 2 KB
 * @param burst the largest burst of datagrams; 1 to 1,000,000, default 10,000
 * @param buffer the socket receive buffer, in bytes of kernel memory
 * @param shards the number of sockets and reader threads on the port; 1 to 64
 * @param ring the capacity between reading and handling, in datagrams; 64 to 65,536, default 16,384
 * @param waiting the longest wait there; default 1 s
 * @param id the id of a datagram; null for none
 * @param inline whether the reader thread answers
 */
record UdpFrom(
        Configured<Integer> port,
        Configured<String> host,
        Configured<Long> maxSize,
        Configured<Integer> burst,
        @Nullable Configured<Long> buffer,
        @Nullable Configured<Integer> shards,
        Configured<Integer> ring,
        Configured<Duration> waiting,
        @Nullable SenderId id,
        Configured<Boolean> inline)
        implements From {
    /**
     * A range of bytes in a datagram.
     *
     * @param at the first byte, from 0
     * @param length the number of bytes, 1 or more
     */
    record IdPlace(int at, int length) {
        @Override
        public String toString() {
            return "bytes " + at + " to " + (at + length - 1);
        }
    }

    /** Among which senders an id is unique. */
    enum Per {
        /** Each sender, by its IP address. */
        SENDER,
        /** All senders together. */
        ALL;

        String keyword() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Where the id is, and among which senders it is unique. */
    record SenderId(IdPlace place, Per per) {
        /** The id of a datagram; null when it is too short. */
        @Nullable
        String of(Datagram datagram) {
            if (datagram.bytes().length - place.at < place.length) {
                return null;
            }
            String id = DatagramCalls.id(datagram.bytes(), place.at, place.length);
            return per == Per.ALL ? id : datagram.peer().getAddress().getHostAddress() + "/" + id;
        }

        @Override
        public String toString() {
            return place + ", per " + per.keyword();
        }
    }

    @Override
    public String kind() {
        return "udp";
    }

    @Override
    public UdpFrom completed(To to, @Nullable ConfigValue stage, ConfigProblems problems) {
        return UdpReader.inlined(this, to, stage, problems);
    }

    /** A copy with the final value of {@code inline}. */
    UdpFrom inline(Configured<Boolean> decided) {
        return new UdpFrom(port, host, maxSize, burst, buffer, shards, ring, waiting, id, decided);
    }

    /** The URL with a given port. */
    String where(int at) {
        String shown = host.value().contains(":") ? "[" + host.value() + "]" : host.value();
        return "udp://" + shown + ":" + at;
    }
}
