package dev.penstock.http;

import dev.penstock.http.pool.Proxy;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests to one target as HTTP/1.1 (RFC 9112). A request whose head and body fit into its buffer goes out in one
 * piece. For one exchange at a time; made again from what never changes, see {@link Form}.
 *
 * <p>No field can end its line early: {@link Header} and {@link HttpCall} have checked every character.
 */
final class RequestWriter {
    /** A head and 2 KB of body. */
    private static final int SIZE = 4 << 10;

    private static final int LARGEST_KEPT = 64 << 10;
    /** The JDK copies all that a write is given, and again the rest of it when the system took only a part. */
    private static final int MOST_AT_ONCE = 64 << 10;

    private static final String VERSION = " HTTP/1.1\r\n";
    private static final String LENGTH = "Content-Length: ";
    private static final String DEADLINE = HttpSource.DEADLINE_HEADER + ": ";

    /**
     * What is the same in all requests to a target.
     *
     * @param origin what stands before a path: nothing, or for a proxy that passes requests on, scheme and authority (RFC
     *     9112 section 3.2.2)
     * @param fields whole lines: Host (RFC 9110 section 7.2), and what a proxy wants to know
     */
    record Form(String origin, String fields) {
        static Form of(Address address, @Nullable Proxy passedOnBy) {
            String fields = "Host: " + address.authority() + "\r\n";
            String secret = passedOnBy == null ? null : passedOnBy.authorization();
            return new Form(
                    passedOnBy == null ? "" : "http://" + address.authority(),
                    secret == null ? fields : fields + "Proxy-Authorization: " + secret + "\r\n");
        }
    }

    private final Form form;
    private byte[] bytes = new byte[SIZE];
    private int length;

    RequestWriter(Form form) {
        this.form = form;
    }

    /**
     * Writes a request.
     *
     * @param millisLeft for Penstock-Deadline-Ms; 0 leaves it out
     */
    void write(HttpCall call, long millisLeft, OutputStream to) throws IOException {
        length = 0;
        text(call.method());
        one(' ');
        text(form.origin);
        text(call.path());
        text(VERSION);
        text(form.fields);
        for (Header field : call.headers()) {
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
        byte[] body = call.body();
        if (body.length > 0 || expectsContent(call.method())) {
            text(LENGTH);
            text(Integer.toString(body.length));
            endLine();
        }
        endLine();
        send(body, to);
    }

    /** A method that expects content says how much, also when it is none (RFC 9110 section 8.6). */
    private static boolean expectsContent(String method) {
        return "POST".equals(method) || "PUT".equals(method) || "PATCH".equals(method);
    }

    private void send(byte[] body, OutputStream to) throws IOException {
        if (body.length <= SIZE || body.length <= bytes.length - length) {
            all(body);
            to.write(bytes, 0, length);
        } else {
            to.write(bytes, 0, length);
            for (int at = 0; at < body.length; at += MOST_AT_ONCE) {
                to.write(body, at, Math.min(MOST_AT_ONCE, body.length - at));
            }
        }
        if (bytes.length > LARGEST_KEPT) {
            bytes = new byte[SIZE];
        }
    }

    private void endLine() {
        one('\r');
        one('\n');
    }

    private void one(char c) {
        room(1);
        bytes[length++] = (byte) c;
    }

    private void all(byte[] more) {
        room(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
    }

    /** Latin-1, as all fields are. */
    @SuppressWarnings("deprecation") // it keeps the lower bytes, and there are no others
    private void text(String text) {
        int count = text.length();
        room(count);
        text.getBytes(0, count, bytes, length);
        length += count;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
