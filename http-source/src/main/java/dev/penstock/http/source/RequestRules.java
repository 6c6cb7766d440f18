package dev.penstock.http.source;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.util.List;

/**
 * Applies the rules of RFC 9112 for a whole request head, before Helidon reads the body: exactly one valid Host (section 3.2),
 * replaced by the authority of a target in absolute form (section 3.2.2). For HTTP/1.0, which {@link LenientReader} presents as
 * HTTP/1.1: no Transfer-Encoding (section 6.1), no 100 (Continue), and a persistent connection only on request of the client
 * (section 9.3). Thread-safe.
 */
final class RequestRules implements Http1ConnectionListener {
    private static final int LONGEST_PORT = 5;

    @Override
    public void headers(ConnectionContext context, io.helidon.http.Headers headers) {
        TimedConnection connection = (TimedConnection) context;
        // Helidon passes its own mutable headers.
        WritableHeaders<?> fields = (WritableHeaders<?>) headers;
        checkHost(connection, fields);
        if (connection.isHttp10()) {
            http10(fields);
        }
    }

    private static void checkHost(TimedConnection connection, WritableHeaders<?> fields) {
        List<String> hosts = fields.all(HeaderNames.HOST, List::of);
        if (hosts.size() > 1 || (hosts.isEmpty() && !connection.isHttp10())) {
            throw wrong("a request must have exactly one Host header");
        }
        String authority = connection.authority();
        String host = authority != null ? authority : hosts.isEmpty() ? null : hosts.getFirst();
        if (host != null && !isHost(host)) {
            throw wrong("the Host header is invalid");
        }
        if (authority != null) {
            fields.set(HeaderValues.create(HeaderNames.HOST, authority));
        }
    }

    private static void http10(WritableHeaders<?> fields) {
        if (fields.contains(HeaderNames.TRANSFER_ENCODING)) {
            throw wrong("Transfer-Encoding is not allowed in HTTP/1.0");
        }
        fields.remove(HeaderNames.EXPECT);
        if (!fields.containsToken(HeaderValues.CONNECTION_KEEP_ALIVE)) {
            fields.add(HeaderValues.CONNECTION_CLOSE);
        }
    }

    /** Whether this is a host with an optional port (RFC 9110 section 7.2) and without user information. */
    static boolean isHost(String text) {
        int port = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
        int end = port < 0 ? text.length() : port;
        if (end == 0) {
            return false;
        }
        boolean literal = text.charAt(0) == '[';
        for (int i = literal ? 1 : 0; i < (literal ? end - 1 : end); i++) {
            if (!isOfHost(text.charAt(i), literal)) {
                return false;
            }
        }
        return isPort(text, end);
    }

    private static boolean isOfHost(char c, boolean literal) {
        boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return plain || (literal ? ":." : "-._~!$&'()*+,;=%").indexOf(c) >= 0;
    }

    /** Whether the rest is empty, or a colon and up to five digits. */
    private static boolean isPort(String text, int from) {
        if (from == text.length()) {
            return true;
        }
        if (text.charAt(from) != ':' || text.length() - from - 1 > LONGEST_PORT) {
            return false;
        }
        for (int i = from + 1; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static RequestException wrong(String message) {
        return RequestException.builder()
                .type(DirectHandler.EventType.BAD_REQUEST)
                .setKeepAlive(false)
                .message(message)
                .build();
    }
}
