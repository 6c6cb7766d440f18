package dev.penstock.http;

import dev.penstock.http.pool.Connection;
import java.io.IOException;

/**
 * HTTP/1.1 with its buffers, 12 KB. It goes from one exchange to the next, so an idle connection has none; one whose exchange
 * failed is thrown away, for bytes may be left in it.
 *
 * <p>For one exchange at a time.
 */
final class Http1Codec {
    /** How many interim answers may come before the final one. */
    static final int MOST_INTERIM = 20;

    private static final int SWITCHING_PROTOCOLS = 101;

    private final RequestWriter writer;
    private final AnswerReader reader = new AnswerReader();

    Http1Codec(RequestWriter.Form form) {
        this.writer = new RequestWriter(form);
    }

    void send(HttpCall call, long millisLeft, Connection connection) throws IOException {
        writer.write(call, millisLeft, connection.out());
    }

    /** The head of the final answer; up to {@value #MOST_INTERIM} interim ones (RFC 9110 section 15.2) are passed over. */
    AnswerHead head(Connection connection) throws IOException {
        for (int interim = 0; interim <= MOST_INTERIM; interim++) {
            AnswerHead head = reader.head(connection.in());
            if (head.status() == SWITCHING_PROTOCOLS) {
                throw new MalformedAnswer("switched protocols without being asked to");
            }
            if (!head.isInterim()) {
                return head;
            }
        }
        throw tooManyInterim();
    }

    static MalformedAnswer tooManyInterim() {
        return new MalformedAnswer("more than " + MOST_INTERIM + " interim answers");
    }

    byte[] body(Connection connection, long length, int most, BodyReader.Memory memory) throws IOException {
        return reader.body(connection.in(), length, most, memory);
    }

    /** Whether a part of an answer has come. */
    boolean hasBegun() {
        return reader.hasBegun();
    }

    boolean isClean() {
        return reader.isClean();
    }
}
