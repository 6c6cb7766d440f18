package dev.penstock.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.BasicHttpTransportMetrics;
import org.apache.hc.core5.http.impl.io.ChunkedInputStream;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.jspecify.annotations.Nullable;

/**
 * Reads answers of HTTP/1.x (RFC 9112) out of a stream. For one exchange at a time, and for the next one when it {@link
 * #isClean}.
 *
 * <h2>Design note</h2>
 *
 * <p>HttpCore reads chunks; heads are read here, out of bytes straight into fields: its parser makes a buffer of characters
 * of each line and an object of each step of the way. What a head means is decided in {@link AnswerHead}, on the strict side,
 * and a test holds both parsers against each other.
 */
final class AnswerReader {
    /** The most that a head may have, in bytes. */
    static final int LARGEST_HEAD = 64 << 10;

    /** The most fields that a head may have. */
    static final int MOST_FIELDS = 200;

    private static final int SIZE = 8 << 10;

    private static final Http1Config TRAILERS = Http1Config.custom()
            .setMaxLineLength(16 << 10)
            .setMaxHeaderCount(MOST_FIELDS)
            .build();

    private byte[] bytes = new byte[SIZE];
    private int from;
    private int to;
    private boolean begun;
    private @Nullable SessionInputBufferImpl chunks;
    private final Rest rest = new Rest();

    /**
     * Reads the next head.
     *
     * @throws EOFException the stream ended before it was whole
     * @throws MalformedAnswer it is no head
     */
    AnswerHead head(InputStream in) throws IOException {
        int end = endOfHead(in);
        AnswerHead head = parse(end);
        from = end;
        return head;
    }

    /** The position behind the empty line. */
    private int endOfHead(InputStream in) throws IOException {
        int seen = from;
        while (true) {
            for (; seen < to; seen++) {
                if (bytes[seen] == '\n' && isEndedBy(seen)) {
                    return seen + 1;
                }
            }
            if (to - from >= LARGEST_HEAD) {
                throw new MalformedAnswer("a head of more than " + LARGEST_HEAD + " bytes");
            }
            seen -= from;
            fill(in);
            seen += from;
        }
    }

    /** Whether the line that ends here is empty, and not the first. */
    private boolean isEndedBy(int newline) {
        int before = newline - 1;
        if (before > from && bytes[before] == '\r') {
            before--;
        }
        return before >= from && bytes[before] == '\n';
    }

    private void fill(InputStream in) throws IOException {
        if (from > 0) {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * bytes.length);
        }
        int came = in.read(bytes, to, bytes.length - to);
        if (came < 0) {
            throw new EOFException(
                    to == 0 ? "it ended before the answer began" : "it ended in the middle of the answer's head");
        }
        to += came;
        begun = true;
    }

    /** Whether anything has come that may belong to an answer, since it was clean. */
    boolean hasBegun() {
        return begun;
    }

    private AnswerHead parse(int end) throws MalformedAnswer {
        int lineEnd = endOfLine(from);
        int minor = version(lineEnd);
        int status = status(lineEnd);
        List<Header> fields = new ArrayList<>(8);
        for (int at = behind(lineEnd); ; ) {
            int next = endOfLine(at);
            if (next == at) {
                return new AnswerHead(minor, status, Headers.of(fields));
            }
            if (fields.size() == MOST_FIELDS) {
                throw new MalformedAnswer("more than " + MOST_FIELDS + " header fields");
            }
            at = field(at, next, fields);
            if (at > end) {
                throw new MalformedAnswer("a head without an end");
            }
        }
    }

    /** The position of the line break, of either form (RFC 9112 section 2.2). */
    private int endOfLine(int start) {
        int at = start;
        while (bytes[at] != '\n') {
            at++;
        }
        return at > start && bytes[at - 1] == '\r' ? at - 1 : at;
    }

    /** The position behind the line break that begins there. */
    private int behind(int lineEnd) {
        return bytes[lineEnd] == '\r' ? lineEnd + 2 : lineEnd + 1;
    }

    private int version(int end) throws MalformedAnswer {
        boolean known = end - from >= 12
                && bytes[from] == 'H'
                && bytes[from + 1] == 'T'
                && bytes[from + 2] == 'T'
                && bytes[from + 3] == 'P'
                && bytes[from + 4] == '/'
                && bytes[from + 5] == '1'
                && bytes[from + 6] == '.'
                && isDigit(bytes[from + 7])
                && bytes[from + 8] == ' ';
        if (!known) {
            throw new MalformedAnswer("no status line of HTTP/1");
        }
        return bytes[from + 7] - '0';
    }

    private int status(int end) throws MalformedAnswer {
        int at = from + 9;
        boolean three = isDigit(bytes[at]) && isDigit(bytes[at + 1]) && isDigit(bytes[at + 2]);
        if (!three || (end > at + 3 && bytes[at + 3] != ' ')) {
            throw new MalformedAnswer("no status");
        }
        int status = (bytes[at] - '0') * 100 + (bytes[at + 1] - '0') * 10 + bytes[at + 2] - '0';
        if (status < 100 || status > 599) {
            throw new MalformedAnswer("the status " + status);
        }
        return status;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Reads a field with the lines that it goes on in. Returns the position of the next line. */
    private int field(int start, int end, List<Header> fields) throws MalformedAnswer {
        if (isBlank(start)) {
            throw new MalformedAnswer("a line that goes on from nothing");
        }
        int colon = start;
        while (colon < end && bytes[colon] != ':') {
            colon++;
        }
        if (colon == end || colon == start) {
            throw new MalformedAnswer("a header line without a name");
        }
        // White space before the colon is wrong, and taken away by who passes the answer on (RFC 9112 section 5.1).
        int nameEnd = trimmedEnd(start, colon);
        String name = text(start, nameEnd);
        String value = value(colon + 1, end);
        int next = behind(end);
        if (!isBlank(next)) {
            fields.add(checked(name, value));
            return next;
        }
        // An old form (RFC 9112 section 5.2). Joined at the end: the work would grow with the square of the lines.
        StringBuilder joined = new StringBuilder(value);
        while (isBlank(next)) {
            int lineEnd = endOfLine(next);
            String more = value(next, lineEnd);
            joined.append(more.isEmpty() ? "" : " ").append(more);
            next = behind(lineEnd);
        }
        fields.add(checked(name, joined.toString()));
        return next;
    }

    private boolean isBlank(int at) {
        return bytes[at] == ' ' || bytes[at] == '\t';
    }

    private static Header checked(String name, String value) throws MalformedAnswer {
        try {
            return new Header(name, value);
        } catch (IllegalArgumentException e) {
            throw new MalformedAnswer("a header line that cannot be one: " + e.getMessage());
        }
    }

    private String value(int start, int end) {
        int at = start;
        while (at < end && isBlank(at)) {
            at++;
        }
        return text(at, trimmedEnd(at, end));
    }

    private int trimmedEnd(int start, int end) {
        int at = end;
        while (at > start && isBlank(at - 1)) {
            at--;
        }
        return at;
    }

    private String text(int start, int end) {
        return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    }

    /**
     * Reads a body to its end.
     *
     * @param length as {@link AnswerHead#bodyLength} tells
     * @param most how many bytes are allowed
     * @param memory asked before the body grows
     * @throws AnswerTooLarge it has more
     * @throws EOFException the stream ended before it was whole
     */
    byte[] body(InputStream in, long length, int most, BodyReader.Memory memory) throws IOException {
        if (length > most) {
            throw new AnswerTooLarge();
        }
        rest.in = in;
        if (length >= 0) {
            return BodyReader.exactly(rest, (int) length, memory);
        }
        byte[] body = BodyReader.atMost(length == AnswerHead.CHUNKED ? chunked(rest) : rest, most, memory);
        if (body == null) {
            throw new AnswerTooLarge();
        }
        return body;
    }

    private InputStream chunked(InputStream in) {
        if (chunks == null) {
            chunks = new SessionInputBufferImpl(
                    new BasicHttpTransportMetrics(), SIZE, -1, TRAILERS.getMaxLineLength(), null);
        }
        return new ChunkedInputStream(chunks, in, TRAILERS);
    }

    /** Whether nothing is left that no request has asked for: a target may send more than its answer. */
    boolean isClean() {
        if (from < to || (chunks != null && chunks.hasBufferedData())) {
            return false;
        }
        from = 0;
        to = 0;
        begun = false;
        if (bytes.length > SIZE) {
            bytes = new byte[SIZE];
        }
        return true;
    }

    /** What was read already, then the rest of the stream. */
    private final class Rest extends InputStream {
        private InputStream in = InputStream.nullInputStream();

        @Override
        public int read() throws IOException {
            return from < to ? bytes[from++] & 0xff : in.read();
        }

        @Override
        public int read(byte[] into, int at, int count) throws IOException {
            if (from == to) {
                return in.read(into, at, count);
            }
            int taken = Math.min(count, to - from);
            System.arraycopy(bytes, from, into, at, taken);
            from += taken;
            return taken;
        }
    }
}
