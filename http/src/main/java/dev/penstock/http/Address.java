package dev.penstock.http;

import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** Where a target is: the URL that calls go to, taken apart once. */
record Address(
        boolean secure,
        String host,
        int port,
        String path,
        @Nullable String query) {
    /**
     * Reads a URL.
     *
     * @throws IllegalArgumentException with one line that says what to write instead
     */
    static Address of(String url) {
        URI uri = parse(url);
        boolean secure = "https".equalsIgnoreCase(uri.getScheme());
        if (!secure && !"http".equalsIgnoreCase(uri.getScheme())) {
            throw wrong(url, "does not begin with http:// or https://");
        }
        if (uri.getRawUserInfo() != null) {
            throw new IllegalArgumentException("the url has a user in it: give it as a header, Authorization, instead");
        }
        if (uri.getHost() == null) {
            throw wrong(url, "has no host");
        }
        if (uri.getRawFragment() != null) {
            throw wrong(url, "has a #fragment, which is never sent");
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        if (port < 1 || port > 65535) {
            throw wrong(url, "has a port that is not 1 to 65535");
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        HttpCall.get(uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
        return new Address(secure, uri.getHost(), port, path, uri.getRawQuery());
    }

    private static URI parse(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw wrong(url, "cannot be read (" + e.getReason() + ")");
        }
    }

    private static IllegalArgumentException wrong(String url, String what) {
        return new IllegalArgumentException(
                "url " + url + " " + what + ": write it like https://gateway.example/v1/transactions");
    }

    /** Host and port, as people name it and as it stands in messages. */
    String hostAndPort() {
        return host + ":" + port;
    }

    /** The host without the brackets that an IPv6 address has in a URL. */
    String bareHost() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** What stands in the Host header (RFC 9110 section 7.2): the port only where it is not the scheme's own. */
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

    /** Another path of the same host, with a query if there is one, which was checked. */
    Address at(String checked) {
        int query = checked.indexOf('?');
        return query < 0
                ? new Address(secure, host, port, checked, null)
                : new Address(secure, host, port, checked.substring(0, query), checked.substring(query + 1));
    }

    /**
     * Where a call goes: this path, what follows after it, and the query; a query of this address wins over the call's.
     *
     * @param rest what follows, empty or beginning with a slash
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
