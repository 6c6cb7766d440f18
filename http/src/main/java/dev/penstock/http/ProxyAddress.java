package dev.penstock.http;

import dev.penstock.http.pool.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses the address and the credentials of a proxy. */
final class ProxyAddress {
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([A-Za-z0-9._-]+)):(\\d{1,5})");

    private ProxyAddress() {}

    static Proxy of(String hostAndPort, @Nullable String authorization) {
        Matcher parts = HOST_AND_PORT.matcher(hostAndPort);
        if (!parts.matches()) {
            throw wrong(hostAndPort);
        }
        int port = Integer.parseInt(parts.group(3));
        if (port < 1 || port > 65_535) {
            throw wrong(hostAndPort);
        }
        String host = parts.group(1) == null ? parts.group(2) : parts.group(1);
        return new Proxy(host, port, authorization);
    }

    /** RFC 7617. */
    static String basic(String user, String password) {
        if (user.isEmpty() || user.contains(":")) {
            throw new IllegalArgumentException("the proxy's user must not be empty or contain a colon");
        }
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(both);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "proxy " + text.replaceAll("(?s).*@", "...@").replaceAll("\\p{Cntrl}+", " ")
                        + " is not of the form host:port: write it like proxy.example:3128");
    }
}
