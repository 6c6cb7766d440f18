package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Header;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import org.jspecify.annotations.Nullable;

/** Answers requests that Helidon refuses before any handler runs, with the same problem documents as other errors. */
final class BadRequests implements DirectHandler {
    static final String DETAIL = "The request violates HTTP/1.1.";
    /** Helidon's message for a head that is too large, for which it has no separate status. */
    private static final String HEAD_TOO_LARGE = "Header size exceeded";

    static DirectHandlers all() {
        DirectHandlers.Builder handlers = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            handlers.addHandler(type, new BadRequests());
        }
        return handlers.build();
    }

    @Override
    public TransportResponse handle(
            TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        HttpAnswer answer = answer(statusOf(status, message));
        headers.clear();
        for (Header field : answer.headers()) {
            headers.set(HeaderValues.create(HeaderNames.create(field.name()), field.value()));
        }
        return TransportResponse.builder()
                .status(Status.create(answer.status()))
                .headers(headers)
                .keepAlive(false)
                .entity(answer.body())
                .build();
    }

    private static int statusOf(Status status, @Nullable String message) {
        if (HEAD_TOO_LARGE.equals(message)) {
            return 431;
        }
        // Helidon reports parse errors of a head as 500, but they are the client's fault.
        boolean parsing = TimedConnection.CURRENT.get().isReadingHead();
        return parsing && status.code() == 500 ? 400 : status.code();
    }

    private static HttpAnswer answer(int status) {
        return ProblemDetails.ofBadInput(
                status,
                switch (status) {
                    case 413 -> "The body is too large.";
                    case 414 -> "The request line is too long.";
                    case 431 -> "The header fields are too large.";
                    case 500 -> "Internal error in the gateway.";
                    case 505 -> "Only HTTP/1.1 and HTTP/1.0 are supported.";
                    default -> DETAIL;
                },
                status == 500 ? "error" : "bad_input",
                null);
    }
}
