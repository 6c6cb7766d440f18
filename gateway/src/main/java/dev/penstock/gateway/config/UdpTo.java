package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A peer that answers datagrams. Null stands for what the file leaves to Penstock.
 *
 * @param at its host and port
 * @param id where requests and answers have their id; null for 8 bytes that are put before each
 * @param once whether the peer takes an id once, so that what was lost may be sent again; false unless given
 * @param timeout how long the first answer is waited for
 * @param attempts how often a request is sent at most; 1 to 10
 * @param maxSize the largest datagram, in bytes; 1 to 65,507, default 2 KB
 * @param waiting how many requests wait for answers at most
 */
public record UdpTo(
        Configured<Address> at,
        UdpFrom.@Nullable IdPlace id,
        Configured<Boolean> once,
        @Nullable Configured<Duration> timeout,
        @Nullable Configured<Integer> attempts,
        Configured<Long> maxSize,
        @Nullable Configured<Integer> waiting)
        implements To {
    /** A host and a port. */
    public record Address(String host, int port) {
        @Override
        public String toString() {
            return "udp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
    }

    @Override
    public PoolConfig pool() {
        return PoolConfig.AUTOMATIC;
    }

    @Override
    public String kind() {
        return "udp";
    }

    @Override
    public String toString() {
        return at.value().toString();
    }
}
