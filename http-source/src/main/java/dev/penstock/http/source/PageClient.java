package dev.penstock.http.source;

import dev.penstock.http.header.Headers;
import java.io.IOException;
import java.io.OutputStream;

/** The client of a request, for a page. */
public interface PageClient {
    /** Its end of the connection. */
    RequestGate.Peer peer();

    /** Whether it can receive an answer of unknown length; false for HTTP/1.0. */
    boolean canStream();

    /**
     * Begins an answer of unknown length with status 200, such as a stream of events. Each write starts the time limit of the
     * answer again and reaches the client at once. Closing it ends the answer.
     */
    OutputStream stream(Headers headers) throws IOException;
}
