package dev.penstock.udp;

import dev.penstock.rate.NetworkRates;
import dev.penstock.text.Cidr;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which datagrams a source handles, and how long its answers may be. A sender address may be forged: an answer that is longer than
 * the request would make the source an amplifier of attacks on the owner of the address. Thread-safe.
 *
 * @param allowed the networks of senders; empty for any
 * @param rates how often each sender may send; null for no limit
 * @param amplification the longest answer, as a multiple of its request
 */
record PeerRules(List<Cidr> allowed, @Nullable NetworkRates rates, double amplification) {
    static final PeerRules NONE = new PeerRules(List.of(), null, Double.POSITIVE_INFINITY);

    boolean allowsAll() {
        return allowed.isEmpty() && rates == null;
    }

    boolean allows(InetAddress sender, long now) {
        return (allowed.isEmpty() || allowed.stream().anyMatch(network -> network.contains(sender)))
                && (rates == null || rates.take(sender, now) == 0);
    }

    boolean isTooLong(int answer, int request) {
        return answer > amplification * request;
    }
}
