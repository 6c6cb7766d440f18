package dev.penstock.http;

import dev.penstock.http.pool.ConnectionTotal;
import dev.penstock.http.pool.Proxy;
import dev.penstock.http.tls.TlsMaterial;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How connections to a target come about.
 *
 * @param proxy on the way, if there is one
 * @param tls for the connections to a target of https
 * @param total what bounds them together with those of other targets, if anything does
 */
record TargetAccess(
        @Nullable Proxy proxy,
        @Nullable TlsMaterial tls,
        @Nullable ConnectionTotal total) {
    /** Asked for each connection; null where the target does not speak TLS. */
    @Nullable
    Supplier<SSLContext> contexts() {
        return tls == null ? null : tls::context;
    }

    /** The proxy that passes the requests to an address on: with TLS it only opens a way through. */
    @Nullable
    Proxy passesOn(Address address) {
        return address.secure() ? null : proxy;
    }
}
