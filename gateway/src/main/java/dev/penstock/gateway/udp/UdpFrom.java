package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.Addresses;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.udp.Datagram;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A UDP source.
 *
 * @param port the listen port; 1 to 65535, or 0 for any free port
 * @param host the listen address; default 127.0.0.1
 * @param maxSize the largest datagram, in bytes; 1 to 65,507, default 2 KB
 * @param burst the largest burst of datagrams; 1 to 1,000,000, default 10,000
 * @param senders who may send
 * @param id the id of a datagram; null for none
 * @param inline whether the reader thread answers: if the target is replace and the flow has no stage
 */
record UdpFrom(
        Configured<Integer> port,
        Configured<String> host,
        Configured<Long> maxSize,
        Configured<Integer> burst,
        Senders senders,
        @Nullable SenderId id,
        boolean inline)
        implements From {
    /**
     * Who may send, and what for.
     *
     * @param allow their networks; null for all
     * @param rate datagrams a second of each; null for no limit
     * @param amplification the longest answer, as a multiple of its datagram; null if not given
     */
    record Senders(
            @Nullable Configured<List<String>> allow,
            @Nullable Configured<Double> rate,
            @Nullable Configured<Double> amplification) {}

    /** The longest answer, as a multiple of its datagram; infinite where nobody elsewhere can forge an address. */
    Configured<Double> amplification() {
        Configured<Double> given = senders.amplification;
        return given != null
                ? given
                : Configured.byDefault(Addresses.isLoopback(host.value()) ? Double.POSITIVE_INFINITY : 1.0);
    }

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
        ALL
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
            return place + ", per " + per.name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public String kind() {
        return "udp";
    }

    @Override
    public UdpFrom completed(To to, @Nullable ConfigValue stage, ConfigProblems problems) {
        return new UdpFrom(port, host, maxSize, burst, senders, id, to instanceof ReplaceTo && stage == null);
    }

    /** The URL with a given port. */
    String where(int at) {
        String shown = host.value().contains(":") ? "[" + host.value() + "]" : host.value();
        return "udp://" + shown + ":" + at;
    }
}
