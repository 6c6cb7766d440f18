package dev.penstock.http.source;

import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides by the head of a request whether it may reach the flow of its route, before its body is read. Thread-safe. Does not
 * block.
 */
@FunctionalInterface
public interface RequestGate {
    /**
     * Admits a request.
     *
     * @param headers all fields as received
     * @throws BadInput the request is refused
     */
    Admitted admit(Headers headers, Peer peer);

    /** Admits every request unchanged. */
    static RequestGate open(Service<HttpCall, HttpAnswer> service) {
        return (headers, peer) -> new Admitted(headers, service);
    }

    /**
     * The client.
     *
     * @param isSecure whether it is connected over TLS
     * @param certificates its certificate and the chain that was verified; empty for none
     */
    record Peer(InetAddress address, boolean isSecure, List<X509Certificate> certificates) {}

    /**
     * An admitted request.
     *
     * @param headers the fields that replace the received ones
     * @param service answers it
     * @param id the id of its transaction, for the client if that has no answer; null for none
     */
    record Admitted(
            Headers headers,
            Service<HttpCall, HttpAnswer> service,
            @Nullable String id) {
        /** Without an id. */
        public Admitted(Headers headers, Service<HttpCall, HttpAnswer> service) {
            this(headers, service, null);
        }
    }
}
