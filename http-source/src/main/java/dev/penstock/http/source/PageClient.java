package dev.penstock.http.source;

import dev.penstock.http.header.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;

/** The client of a request, for a page. */
public interface PageClient {
    /** The address of its end of the connection. */
    InetAddress address();

    /** Its certificate and the chain that was verified; empty for none. */
    List<X509Certificate> certificates();

    /** Whether it can receive an answer of unknown length; false for HTTP/1.0. */
    boolean canStream();

    /**
     * Begins an answer of unknown length with status 200, such as a stream of events. Each write starts the time limit of the
     * answer again and reaches the client at once. Closing it ends the answer.
     */
    OutputStream stream(Headers headers) throws IOException;
}
