package dev.penstock.http.tls;

import java.net.InetAddress;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;

/**
 * The TLS parameters for connections to a host. Without them a socket accepts any certificate of a trusted authority, for any
 * host name.
 */
public final class HostParameters {
    private static final String HTTPS = "HTTPS";

    private HostParameters() {}

    /**
     * Returns parameters for one host. They enable hostname verification of the certificate (endpoint identification, RFC 9110
     * section 4.3.4) and send the name to the server (SNI, RFC 6066 section 3), except for an IP address, which SNI does not
     * allow. Everything else comes from the context.
     *
     * <p>Pass the same host to the socket, as in {@code factory.createSocket(plain, host, port, true)}.
     *
     * @param host a name, with or without a trailing dot, or an IP address, IPv6 with or without brackets
     * @return a new object for each call, which may be modified
     * @throws IllegalArgumentException if it is neither a name nor an address, for instance because it has a port
     */
    public static SSLParameters of(String host) {
        String bare = bare(host);
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm(HTTPS);
        parameters.setServerNames(isAddress(bare) ? List.of() : List.of(name(bare)));
        return parameters;
    }

    /** Removes brackets, zone and trailing dot. */
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
                            + " is not a valid TLS server name: use letters, digits, hyphens and dots",
                    e);
        }
    }
}
