package dev.penstock.gateway.udp;

import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig.To;
import org.jspecify.annotations.Nullable;

/**
 * A UDP target that answers each request with a datagram.
 *
 * @param at host and port
 * @param id the position of the id in requests and answers; null prepends an id of 8 bytes
 * @param once whether the peer deduplicates by id, so that a lost request may be resent; default false
 * @param maxSize the largest datagram, in bytes; 1 to 65,507, default 2 KB
 */
record UdpTo(Configured<Address> at, UdpFrom.@Nullable IdPlace id, Configured<Boolean> once, Configured<Long> maxSize)
        implements To {
    /** A host and a port. */
    record Address(String host, int port) {
        @Override
        public String toString() {
            return "udp://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
        }
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
