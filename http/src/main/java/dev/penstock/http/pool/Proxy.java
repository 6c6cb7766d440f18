package dev.penstock.http.pool;

import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy.
 *
 * @param host its name, without brackets
 * @param port its port
 * @param authorization the value of Proxy-Authorization (RFC 9110 section 11.7.2), or null; a secret
 */
public record Proxy(String host, int port, @Nullable String authorization) {
    /** Without the secret. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
