package dev.penstock.http.source;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.text.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The proxies that may name the client of a request: in {@code X-Forwarded-*}, {@code Forwarded} (RFC 7239) and {@code
 * X-Real-IP}. What others send in these fields is replaced. Immutable.
 */
record TrustedProxies(List<Cidr> blocks) {
    private static final String FOR = "X-Forwarded-For";
    private static final String PREFIX = "X-Forwarded-";

    /** Whether a field names a client, or the request as it came from there. Some servers read an underscore as a hyphen. */
    static boolean isForwarding(Header field) {
        // Called for every field of every request.
        char initial = field.name().charAt(0);
        if ("FXfx".indexOf(initial) < 0) {
            return false;
        }
        String name = field.name().replace('_', '-');
        return name.equalsIgnoreCase("Forwarded")
                || name.equalsIgnoreCase("X-Real-IP")
                || name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    boolean isTrusted(InetAddress address) {
        return blocks.stream().anyMatch(block -> block.contains(address));
    }

    /** The client of a request: the last address that is no trusted proxy, of those in X-Forwarded-For and the peer. */
    InetAddress client(Headers headers, InetAddress peer) {
        if (!isTrusted(peer)) {
            return peer;
        }
        InetAddress client = peer;
        String[] hops = String.join(",", headers.all(FOR)).split(",", -1);
        for (int i = hops.length - 1; i >= 0 && isTrusted(client); i--) {
            InetAddress before = address(hops[i].strip());
            if (before == null) {
                return client;
            }
            client = before;
        }
        return client;
    }

    /** The address of a hop, which may have a port; null for anything else, such as {@code unknown}. */
    private static @Nullable InetAddress address(String hop) {
        boolean hasPort = hop.startsWith("[") || hop.indexOf(':') == hop.lastIndexOf(':');
        String address = hasPort ? hop.replaceFirst("]?:\\d+$|]$", "").replaceFirst("^\\[", "") : hop;
        try {
            return Cidr.of(address).address();
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }

    /** Whether {@link #replacements} has what the flow gets instead of a field. */
    boolean replaces(Header field, InetAddress peer) {
        return isForwarding(field) && (field.is(FOR) || field.name().indexOf('_') >= 0 || !isTrusted(peer));
    }

    /** The fields that a flow gets instead of those of the request: what this server knows itself, or nothing. */
    Headers replacements(Headers headers, RequestGate.Peer peer) {
        Headers known = Headers.none();
        for (Header field : headers) {
            String value =
                    replaces(field, peer.address()) && !known.has(field.name()) ? known(field, headers, peer) : null;
            known = value == null ? known : known.and(field.name(), value);
        }
        return known;
    }

    private @Nullable String known(Header field, Headers headers, RequestGate.Peer peer) {
        String scheme = peer.isSecure() ? "https" : "http";
        String address = peer.address().getHostAddress().replaceFirst("%.*", "");
        return switch (field.name().toLowerCase(Locale.ROOT)) {
            case "x-forwarded-for" ->
                isTrusted(peer.address()) ? String.join(", ", headers.all(FOR)) + ", " + address : address;
            case "x-real-ip" -> address;
            case "x-forwarded-proto" -> scheme;
            case "x-forwarded-host" -> headers.first("Host");
            case "forwarded" ->
                "for=" + (address.contains(":") ? "\"[" + address + "]\"" : address) + ";proto=" + scheme;
            default -> null;
        };
    }
}
