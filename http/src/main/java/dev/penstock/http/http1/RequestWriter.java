package dev.penstock.http.http1;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Writes requests to one target as HTTP/1.1 (RFC 9112). A request whose head and body fit into the buffer is sent with one
 * write. For one exchange at a time; the constant parts are in {@link Form}.
 *
 * <p>Header injection is impossible if method and path are validated, as {@link Header} is.
 */
public final class RequestWriter {
    /** A head and 2 KB of body. */
    private static final int SIZE = 4 << 10;

    private static final int MAX_KEPT = 64 << 10;
    /** Maximum write size: the JDK copies the whole array of a write, and the rest again after a partial write. */
    private static final int MAX_WRITE = 64 << 10;

    private static final String VERSION = " HTTP/1.1\r\n";
    private static final String LENGTH = "Content-Length: ";
    private static final String DEADLINE = Header.DEADLINE + ": ";

    /**
     * The constant parts of all requests to a target.
     *
     * @param origin the text before the path: empty, or scheme and authority for a forwarding proxy (RFC 9112 section 3.2.2)
     * @param fields complete lines: Host (RFC 9110 section 7.2), and Proxy-Authorization if needed
     */
    public record Form(String origin, String fields) {}

    private final Form form;
    private byte[] bytes = new byte[SIZE];
    private int length;

    /** A writer of requests with these constant parts. */
    public RequestWriter(Form form) {
        this.form = form;
    }

    /**
     * Writes a request.
     *
     * @param method a token
     * @param path begins with a slash, percent-encoded; may have a query
     * @param millisLeft the value of Penstock-Deadline-Ms; 0 omits it
     */
    public void write(String method, String path, Headers headers, byte[] body, long millisLeft, OutputStream to)
            throws IOException {
        length = 0;
        text(method);
        one(' ');
        text(form.origin);
        text(path);
        text(VERSION);
        text(form.fields);
        for (Header field : headers) {
            text(field.name());
            one(':');
            one(' ');
            text(field.value());
            endLine();
        }
        if (millisLeft > 0) {
            text(DEADLINE);
            text(Long.toString(millisLeft));
            endLine();
        }
        if (body.length > 0 || expectsContent(method)) {
            text(LENGTH);
            text(Integer.toString(body.length));
            endLine();
        }
        endLine();
        send(body, to);
    }

    /** Requests with these methods have a Content-Length even without content (RFC 9110 section 8.6). */
    private static boolean expectsContent(String method) {
        return "POST".equals(method) || "PUT".equals(method) || "PATCH".equals(method);
    }

    private void send(byte[] body, OutputStream to) throws IOException {
        if (body.length <= SIZE || body.length <= bytes.length - length) {
            all(body);
            to.write(bytes, 0, length);
        } else {
            to.write(bytes, 0, length);
            for (int at = 0; at < body.length; at += MAX_WRITE) {
                to.write(body, at, Math.min(MAX_WRITE, body.length - at));
            }
        }
        if (bytes.length > MAX_KEPT) {
            bytes = new byte[SIZE];
        }
    }

    private void endLine() {
        one('\r');
        one('\n');
    }

    private void one(char c) {
        ensureSpace(1);
        bytes[length++] = (byte) c;
    }

    private void all(byte[] more) {
        ensureSpace(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    /** Appends Latin-1 text, as all fields are. */
    @SuppressWarnings("deprecation") // it drops the upper bytes, which are all 0
    private void text(String text) {
        int count = text.length();
        ensureSpace(count);
        text.getBytes(0, count, bytes, length);
        length += count;
    }

    private void ensureSpace(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
