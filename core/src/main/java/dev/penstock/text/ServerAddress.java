package dev.penstock.text;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The server that a URL names. Immutable.
 *
 * @param host an IPv6 address in brackets
 * @param port -1 if the URL has none
 */
public record ServerAddress(String host, int port) {
    /**
     * Reads a URL of a database or a broker; null if it names no server, or more than one.
     *
     * @param url may begin with {@code jdbc:}
     */
    public static @Nullable ServerAddress in(String url) {
        try {
            URI uri = new URI(url.startsWith("jdbc:") ? url.substring("jdbc:".length()) : url);
            return uri.getHost() == null ? null : new ServerAddress(uri.getHost(), uri.getPort());
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** Passes on its attributes by the conventions of OpenTelemetry. */
    public void describe(BiConsumer<String, Object> to) {
        to.accept("server.address", host);
        if (port > 0) {
            to.accept("server.port", port);
        }
    }
}
