package dev.penstock.http;

import dev.penstock.http.pool.ConnectionTotal;
import dev.penstock.http.pool.Proxy;
import java.security.NoSuchAlgorithmException;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How connections to a target come about.
 *
 * @param proxy on the way, if there is one
 * @param tls asked for each connection
 * @param total what bounds them together with those of other targets, if anything does
 */
record Access(
        @Nullable Proxy proxy,
        Supplier<SSLContext> tls,
        @Nullable ConnectionTotal total) {
    /** Straight there, trusting whom the platform trusts. */
    static final Access PLAIN = new Access(null, Access::platform, null);

    private static SSLContext platform() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JVM has no TLS: " + e.getMessage(), e);
        }
    }

    /** For the connections to an address: null where it does not speak TLS. */
    @Nullable
    Supplier<SSLContext> tlsTo(Address address) {
        return address.secure() ? tls : null;
    }

    /** The proxy that passes the requests to an address on: with TLS it only opens a way through. */
    @Nullable
    Proxy passesOn(Address address) {
        return address.secure() ? null : proxy;
    }
}
