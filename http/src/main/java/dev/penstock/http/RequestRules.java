package dev.penstock.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.util.List;

/**
 * Applies what RFC 9112 says of a head as a whole, before Helidon looks at the body: exactly one valid Host (section 3.2),
 * replaced by that of a target in absolute form (section 3.2.2); and for HTTP/1.0, which {@link LenientReader} shows as
 * HTTP/1.1, no Transfer-Encoding (section 6.1), no 100 (Continue), and a connection that lasts only when the client asks
 * for it (section 9.3). Safe for many threads.
 */
final class RequestRules implements Http1ConnectionListener {
    private static final int LONGEST_PORT = 5;

    @Override
    public void headers(ConnectionContext context, io.helidon.http.Headers headers) {
        TimedConnection connection = (TimedConnection) context;
        // Helidon hands over the fields that it goes on with.
        WritableHeaders<?> fields = (WritableHeaders<?>) headers;
        checkHost(connection, fields);
        if (connection.isHttp10()) {
            http10(fields);
        }
    }

    private static void checkHost(TimedConnection connection, WritableHeaders<?> fields) {
        List<String> hosts = fields.all(HeaderNames.HOST, List::of);
        if (hosts.size() > 1 || (hosts.isEmpty() && !connection.isHttp10())) {
            throw wrong("a request has one Host");
        }
        String authority = connection.authority();
        String host = authority != null ? authority : hosts.isEmpty() ? null : hosts.getFirst();
        if (host != null && !isHost(host)) {
            throw wrong("the host is not valid");
        }
        if (authority != null) {
            fields.set(HeaderValues.create(HeaderNames.HOST, authority));
        }
    }

    private static void http10(WritableHeaders<?> fields) {
        if (fields.contains(HeaderNames.TRANSFER_ENCODING)) {
            throw wrong("HTTP/1.0 has no Transfer-Encoding");
        }
        fields.remove(HeaderNames.EXPECT);
        if (!fields.containsToken(HeaderValues.CONNECTION_KEEP_ALIVE)) {
            fields.add(HeaderValues.CONNECTION_CLOSE);
        }
    }

    /** Whether this is a host, and a port if there is a colon (RFC 9110 section 7.2), without user information. */
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

    /** Whether nothing follows, or a colon and up to five digits. */
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
