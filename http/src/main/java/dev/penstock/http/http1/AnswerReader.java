package dev.penstock.http.http1;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
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
 * Reads HTTP/1.x answers (RFC 9112) from a stream. For one exchange at a time; reusable for the next if it {@link #isClean}.
 *
 * <h2>Design note</h2>
 *
 * <p>HttpCore reads chunked bodies. Heads are parsed here, directly from bytes to header fields, because HttpCore's parser
 * allocates a character buffer per line and several objects per field. {@link AnswerHead} interprets the head, strictly. A test
 * compares both parsers.
 */
public final class AnswerReader {
    /** Maximum size of a head in bytes. */
    static final int MAX_HEAD = 64 << 10;

    /** Maximum number of header fields. */
    static final int MAX_FIELDS = 200;

    private static final int SIZE = 8 << 10;

    private static final Http1Config TRAILERS = Http1Config.custom()
            .setMaxLineLength(16 << 10)
            .setMaxHeaderCount(MAX_FIELDS)
            .build();

    private byte[] bytes = new byte[SIZE];
    private int from;
    private int to;
    private boolean begun;
    private @Nullable SessionInputBufferImpl chunks;
    private final BufferedThenStream rest = new BufferedThenStream();

    /**
     * Reads the next head.
     *
     * @throws EOFException the stream ended before the head was complete
     * @throws MalformedAnswer the head is invalid
     */
    public AnswerHead head(InputStream in) throws IOException {
        int end = endOfHead(in);
        AnswerHead head = parse(end);
        from = end;
        return head;
    }

    /** Reads until the head is complete; returns the position after the empty line. */
    private int endOfHead(InputStream in) throws IOException {
        int seen = from;
        while (true) {
            for (; seen < to; seen++) {
                if (bytes[seen] == '\n' && isEndedBy(seen)) {
                    return seen + 1;
                }
            }
            if (to - from >= MAX_HEAD) {
                throw new MalformedAnswer("head of more than " + MAX_HEAD + " bytes");
            }
            seen -= from;
            fill(in);
            seen += from;
        }
    }

    /** Whether the line that ends at this newline is empty and not the first line. */
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
        int count = in.read(bytes, to, bytes.length - to);
        if (count < 0) {
            throw new EOFException(
                    to == 0 ? "end of stream before the first byte of the answer" : "end of stream within the head");
        }
        to += count;
        begun = true;
    }

    /** Whether any byte of an answer was received since it was clean. */
    public boolean hasBegun() {
        return begun;
    }

    private AnswerHead parse(int end) throws MalformedAnswer {
        int lineEnd = endOfLine(from);
        int minor = version(lineEnd);
        int status = status(lineEnd);
        List<Header> fields = new ArrayList<>(8);
        for (int at = afterLineBreak(lineEnd); ; ) {
            int next = endOfLine(at);
            if (next == at) {
                return new AnswerHead(minor, status, Headers.of(fields));
            }
            if (fields.size() == MAX_FIELDS) {
                throw new MalformedAnswer("more than " + MAX_FIELDS + " header fields");
            }
            at = field(at, next, fields);
            if (at > end) {
                throw new MalformedAnswer("head without an end");
            }
        }
    }

    /** The position of the line break, CR LF or a single LF (RFC 9112 section 2.2). */
    private int endOfLine(int start) {
        int at = start;
        while (bytes[at] != '\n') {
            at++;
        }
        return at > start && bytes[at - 1] == '\r' ? at - 1 : at;
    }

    /** The position after the line break that begins at this position. */
    private int afterLineBreak(int lineEnd) {
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
            throw new MalformedAnswer("no HTTP/1 status line");
        }
        return bytes[from + 7] - '0';
    }

    private int status(int end) throws MalformedAnswer {
        int at = from + 9;
        boolean three = isDigit(bytes[at]) && isDigit(bytes[at + 1]) && isDigit(bytes[at + 2]);
        if (!three || (end > at + 3 && bytes[at + 3] != ' ')) {
            throw new MalformedAnswer("no status code");
        }
        int status = (bytes[at] - '0') * 100 + (bytes[at + 1] - '0') * 10 + bytes[at + 2] - '0';
        if (status < 100 || status > 599) {
            throw new MalformedAnswer("status code " + status);
        }
        return status;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    /** Reads a field with its continuation lines. Returns the position of the next line. */
    private int field(int start, int end, List<Header> fields) throws MalformedAnswer {
        if (isBlank(start)) {
            throw new MalformedAnswer("continuation line before the first header field");
        }
        int colon = start;
        while (colon < end && bytes[colon] != ':') {
            colon++;
        }
        if (colon == end || colon == start) {
            throw new MalformedAnswer("header line without a name");
        }
        // A proxy has to remove invalid white space before the colon (RFC 9112 section 5.1).
        int nameEnd = trimmedEnd(start, colon);
        String name = text(start, nameEnd);
        String value = value(colon + 1, end);
        int next = afterLineBreak(end);
        if (!isBlank(next)) {
            fields.add(checked(name, value));
            return next;
        }
        // Obsolete line folding (RFC 9112 section 5.2). Joined once, since repeated joining would take quadratic time.
        StringBuilder joined = new StringBuilder(value);
        while (isBlank(next)) {
            int lineEnd = endOfLine(next);
            String more = value(next, lineEnd);
            joined.append(more.isEmpty() ? "" : " ").append(more);
            next = afterLineBreak(lineEnd);
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
            throw new MalformedAnswer("invalid header line: " + e.getMessage());
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
     * Reads a complete body.
     *
     * @param length as returned by {@link AnswerHead#bodyLength}
     * @param max maximum number of bytes
     * @param memory called before the body grows
     * @throws AnswerTooLarge the body is larger
     * @throws EOFException the stream ended before the body was complete
     */
    public byte[] body(InputStream in, long length, int max, BodyReader.Memory memory) throws IOException {
        if (length > max) {
            throw new AnswerTooLarge();
        }
        rest.in = in;
        if (length >= 0) {
            return BodyReader.exactly(rest, (int) length, memory);
        }
        byte[] body = BodyReader.atMost(length == AnswerHead.CHUNKED ? chunked(rest) : rest, max, memory);
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

    /** Whether no bytes are left after the answer; a faulty target may send more than its answer. Resets this if so. */
    public boolean isClean() {
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

    /** The buffered bytes, then the rest of the stream. */
    private final class BufferedThenStream extends InputStream {
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
