package dev.penstock.http;

import dev.penstock.http.http1.AnswerHead;
import dev.penstock.http.http1.AnswerReader;
import dev.penstock.http.http1.BodyReader;
import dev.penstock.http.http1.MalformedAnswer;
import dev.penstock.http.http1.RequestWriter;
import dev.penstock.http.pool.Connection;
import dev.penstock.http.pool.Proxy;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests and reads answers of HTTP/1.1. Its buffers, 12 KB, are shared by successive exchanges, so that idle
 * connections have none. After a failed exchange it is discarded, because bytes may be left in it.
 *
 * <p>For one exchange at a time.
 */
final class Http1Codec {
    /** Maximum number of interim answers before the final one. */
    static final int MAX_INTERIM = 20;

    private static final int SWITCHING_PROTOCOLS = 101;

    private final RequestWriter writer;
    private final AnswerReader reader = new AnswerReader();

    Http1Codec(RequestWriter.Form form) {
        this.writer = new RequestWriter(form);
    }

    /** The constant parts of all requests to an address; with absolute URLs if a proxy forwards them. */
    static RequestWriter.Form form(Address address, @Nullable Proxy forwardedBy) {
        String fields = "Host: " + address.authority() + "\r\n";
        String secret = forwardedBy == null ? null : forwardedBy.authorization();
        return new RequestWriter.Form(
                forwardedBy == null ? "" : "http://" + address.authority(),
                secret == null ? fields : fields + "Proxy-Authorization: " + secret + "\r\n");
    }

    void send(HttpCall call, long millisLeft, Connection connection) throws IOException {
        writer.write(call.method(), call.path(), call.headers(), call.body(), millisLeft, connection.out());
    }

    /** Reads the head of the final answer; skips up to {@value #MAX_INTERIM} interim answers (RFC 9110 section 15.2). */
    AnswerHead head(Connection connection) throws IOException {
        for (int interim = 0; interim <= MAX_INTERIM; interim++) {
            AnswerHead head = reader.head(connection.in());
            if (head.status() == SWITCHING_PROTOCOLS) {
                throw new MalformedAnswer("101 Switching Protocols without an upgrade request");
            }
            if (!head.isInterim()) {
                return head;
            }
        }
        throw tooManyInterim();
    }

    static MalformedAnswer tooManyInterim() {
        return new MalformedAnswer("more than " + MAX_INTERIM + " interim answers");
    }

    byte[] body(Connection connection, long length, int max, BodyReader.Memory memory) throws IOException {
        return reader.body(connection.in(), length, max, memory);
    }

    /** Whether a part of an answer was received. */
    boolean hasBegun() {
        return reader.hasBegun();
    }

    boolean isClean() {
        return reader.isClean();
    }
}
