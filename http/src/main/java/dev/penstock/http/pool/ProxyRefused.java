package dev.penstock.http.pool;

import java.io.IOException;

/** A proxy refused the tunnel. */
public final class ProxyRefused extends IOException {
    private static final long serialVersionUID = 1L;

    ProxyRefused(Proxy proxy, String answer) {
        super("proxy " + proxy + " answered " + answer);
    }
}
