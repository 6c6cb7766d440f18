package dev.penstock.http;

import dev.penstock.http.pool.ConnectionTotal;
import dev.penstock.http.pool.Proxy;
import dev.penstock.http.tls.TlsMaterial;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How to connect to a target.
 *
 * @param proxy the proxy, or null
 * @param tls the TLS configuration of an https target, or null
 * @param total limits its connections together with those of other targets, or null
 */
record TargetAccess(
        @Nullable Proxy proxy,
        @Nullable TlsMaterial tls,
        @Nullable ConnectionTotal total) {
    /** Provides the TLS context for each connection; null without TLS. */
    @Nullable
    Supplier<SSLContext> contexts() {
        return tls == null ? null : tls::context;
    }

    /** The proxy that forwards requests to an address; null for TLS, which it only tunnels. */
    @Nullable
    Proxy forwardingProxy(Address address) {
        return address.secure() ? null : proxy;
    }
}
