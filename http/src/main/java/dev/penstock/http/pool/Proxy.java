package dev.penstock.http.pool;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy on the way.
 *
 * @param host its name, without brackets
 * @param port where it listens
 * @param authorization the value of Proxy-Authorization (RFC 9110 section 11.7.2), if it wants one; a secret
 */
public record Proxy(String host, int port, @Nullable String authorization) {
    /** Without the secret. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
