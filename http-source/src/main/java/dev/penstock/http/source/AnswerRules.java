package dev.penstock.http.source;

import io.helidon.http.HeaderNames;
import io.helidon.http.WritableHeaders;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;

/**
 * Removes the Content-Length of 0 that Helidon adds to answers without content. It is wrong for HEAD and 304, unless GET has no
 * content either, and forbidden for 204 (RFC 9110 section 8.6). Thread-safe.
 */
final class AnswerRules implements Http1ConnectionListener {
    @Override
    public void headers(ConnectionContext context, io.helidon.http.Headers headers) {
        if (((TimedConnection) context).isWithoutLength()) {
            // Helidon passes its own mutable headers.
            ((WritableHeaders<?>) headers).remove(HeaderNames.CONTENT_LENGTH);
        }
    }
}
