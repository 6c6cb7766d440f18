package dev.penstock.http;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The parsed URL of a target. */
record Address(
        boolean secure,
        String host,
        int port,
        String path,
        @Nullable String query) {
    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException if it is invalid; the message, one line, says what to write instead
     */
    static Address of(String url) {
        URI uri = parse(url);
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        if (!secure && !"http".equalsIgnoreCase(uri.getScheme())) {
            throw wrong(url, "does not begin with http:// or https://");
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "the url contains user information: use an Authorization header instead");
        }
        if (uri.getHost() == null) {
            throw wrong(url, "has no host");
        }
        if (uri.getRawFragment() != null) {
            throw wrong(url, "has a #fragment, which is never sent");
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        if (port < 1 || port > 65535) {
            throw wrong(url, "has a port outside 1 to 65535");
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        HttpCall.get(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
        return new Address(secure, uri.getHost(), port, path, uri.getRawQuery());
    }

    private static URI parse(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw wrong(url, "is malformed (" + e.getReason() + ")");
        }
    }

    private static IllegalArgumentException wrong(String url, String what) {
        return new IllegalArgumentException(
                "url " + url + " " + what + ": write it like https://gateway.example/v1/transactions");
    }

    /** Host and port, for messages. */
    String hostAndPort() {
        return host + ":" + port;
    }

    /** The host without the brackets that an IPv6 address has in a URL. */
    String bareHost() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** The value of the Host header (RFC 9110 section 7.2): the port only if it is not the default of the scheme. */
    String authority() {
        return port == (secure ? 443 : 80) ? host : hostAndPort();
    }

    /** The URL without the query, which may hold a secret. */
    String where() {
        return on(path);
    }

    /** The URL of another path of the same host. */
    String on(String other) {
        return (secure ? "https://" : "http://") + authority() + other;
    }

    /** Another path of the same host, which may have a query and was validated before. */
    Address at(String checked) {
        int query = checked.indexOf('?');
        return query < 0
                ? new Address(secure, host, port, checked, null)
                : new Address(secure, host, port, checked.substring(0, query), checked.substring(query + 1));
    }

    /**
     * The path and query of a request: this path, the rest, and the query of this address or else of the call.
     *
     * @param rest to append; empty, or begins with a slash
     * @param callQuery the query of the call, or null
     */
    String pathFor(String rest, @Nullable String callQuery) {
        if (rest.isEmpty() && query == null && callQuery == null) {
            return path;
        }
        String whole = rest.isEmpty() || !path.endsWith("/") ? path + rest : path + rest.substring(1);
        String q = query != null ? query : callQuery;
        return q == null ? whole : whole + "?" + q;
    }
}
