package dev.penstock.gateway;

import java.net.URI;

/** Whether two http or https URLs have the same scheme, host and port. */
final class SameHost {
    private static final int HTTP = 80;
    private static final int HTTPS = 443;

    private SameHost() {}

    static boolean same(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && port(one) == port(other);
    }

    private static int port(URI url) {
        return url.getPort() >= 0 ? url.getPort() : url.getScheme().equalsIgnoreCase("https") ? HTTPS : HTTP;
    }
}
