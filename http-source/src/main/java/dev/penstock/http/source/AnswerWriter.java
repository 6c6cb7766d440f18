package dev.penstock.http.source;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Set;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.eclipse.jetty.util.thread.Invocable;

/** Writes an answer, without blocking, in pieces that show how fast the client reads. */
final class AnswerWriter extends IteratingCallback {
    private static final int PIECE = 64 << 10;
    private static final Set<Integer> WITHOUT_CONTENT = Set.of(204, 205, 304);

    private final ServedRequest request;
    private final Response response;
    private final ByteBuffer rest;
    private boolean lengthIsUnknown;
    private int piece;
    private boolean begun;

    /**
     * Prepares the answer.
     *
     * @param closes whether the connection ends with this answer, which HTTP/1.1 says in a header field
     */
    AnswerWriter(ServedRequest request, Response response, HttpAnswer answer, boolean closes) {
        this.request = request;
        this.response = response;
        boolean empty = request.isHead() || WITHOUT_CONTENT.contains(answer.status());
        this.rest = ByteBuffer.wrap(empty ? new byte[0] : answer.body());
        response.setStatus(answer.status());
        HttpFields.Mutable fields = response.getHeaders();
        putAll(answer.headers(), fields);
        setLength(answer, fields);
        if (closes) {
            fields.put(HttpHeader.CONNECTION, "close");
        }
    }

    /** An answer of unknown length. Each write blocks until the client has room for it. */
    static OutputStream stream(ServedRequest request, Response response, Headers headers) {
        response.setStatus(200);
        putAll(headers, response.getHeaders());
        return Content.Sink.asOutputStream((isLast, bytes, done) -> {
            request.renew();
            response.write(
                    isLast,
                    bytes,
                    Callback.from(
                            Invocable.InvocationType.NON_BLOCKING,
                            () -> {
                                if (isLast) {
                                    request.written();
                                }
                                done.succeeded();
                            },
                            failure -> {
                                request.finish(failure);
                                done.failed(failure);
                            }));
        });
    }

    /** Hop-by-hop fields end here (RFC 9110 section 7.6.1). Date may be set already. */
    private static void putAll(Headers headers, HttpFields.Mutable fields) {
        for (Header field : headers.endToEnd()) {
            if (field.is("Date")) {
                fields.put(field.name(), field.value());
            } else if (!field.is("Content-Length")) {
                fields.add(field.name(), field.value());
            }
        }
    }

    /**
     * Only an answer to HEAD may have a Content-Length that differs from its body; without one, or for 204 and 304, none is
     * invented (RFC 9110 section 8.6). Jetty adds one unless the answer seems to go on.
     */
    private void setLength(HttpAnswer answer, HttpFields.Mutable fields) {
        if (rest.hasRemaining()) {
            fields.put(HttpHeader.CONTENT_LENGTH, rest.remaining());
            return;
        }
        boolean without = WITHOUT_CONTENT.contains(answer.status());
        String length = answer.headers().first("Content-Length");
        if (request.isHead() && !without && (length != null || answer.body().length > 0)) {
            fields.put(HttpHeader.CONTENT_LENGTH, length == null ? Integer.toString(answer.body().length) : length);
        } else if (request.isHead() || (without && answer.status() != 205)) {
            lengthIsUnknown = true;
        }
    }

    @Override
    protected Action process() {
        if (begun) {
            request.phase().transferred(piece);
            if (!rest.hasRemaining() && !lengthIsUnknown) {
                return Action.SUCCEEDED;
            }
            lengthIsUnknown = false;
        }
        begun = true;
        piece = Math.min(PIECE, rest.remaining());
        ByteBuffer next = rest.slice(rest.position(), piece);
        rest.position(rest.position() + piece);
        response.write(!rest.hasRemaining() && !lengthIsUnknown, next, this);
        return Action.SCHEDULED;
    }

    @Override
    public Invocable.InvocationType getInvocationType() {
        return Invocable.InvocationType.NON_BLOCKING;
    }

    @Override
    protected void onCompleteSuccess() {
        request.written();
    }

    /** The client disconnected. The ending of its transaction is already counted. */
    @Override
    protected void onCompleteFailure(Throwable cause) {
        request.finish(cause);
    }
}
