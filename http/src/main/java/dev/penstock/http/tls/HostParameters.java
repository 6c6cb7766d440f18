package dev.penstock.http.tls;

import java.net.InetAddress;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;

/**
 * What a client's connection needs to know of the host that it goes to. A socket without it trusts any certificate of a
 * trusted authority, whatever the name in it.
 */
public final class HostParameters {
    private static final String HTTPS = "HTTPS";

    private HostParameters() {}

    /**
     * Parameters for one host: its certificate must name it (endpoint identification, RFC 9110 section 4.3.4), and the name
     * is told to the server (SNI, RFC 6066 section 3), unless the host is an IP address, which SNI does not allow. All
     * else is left to the context.
     *
     * <p>The socket has to be given the same host, as in {@code factory.createSocket(plain, host, port, true)}.
     *
     * @param host a name, with or without a dot at its end, or an IP address, an IPv6 one with or without brackets
     * @return parameters of its own for each call, for more to be set on
     * @throws IllegalArgumentException when it is neither a name nor an address, for instance one with a port behind it
     */
    public static SSLParameters of(String host) {
        String bare = bare(host);
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm(HTTPS);
        parameters.setServerNames(isAddress(bare) ? List.of() : List.of(name(bare)));
        return parameters;
    }

    /** Without brackets, zone, and the dot that ends a full name. */
    private static String bare(String host) {
        if (host.startsWith("[") && host.endsWith("]")) {
            return bare(host.substring(1, host.length() - 1));
        }
        if (host.indexOf(':') >= 0 && host.indexOf('%') >= 0) {
            return host.substring(0, host.indexOf('%'));
        }
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private static boolean isAddress(String host) {
        try {
            InetAddress.ofLiteral(host);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static SNIHostName name(String host) {
        try {
            return new SNIHostName(host);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "host " + FileProblem.oneLine(host)
                            + " is no name that TLS can ask for: write letters, digits, hyphens and dots",
                    e);
        }
    }
}
