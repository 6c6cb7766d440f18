package dev.penstock.lab.simulate;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads HTTP/1.1 requests from a connection, strictly (RFC 9112): input that a lenient server would tolerate is
 * rejected, so that errors of a client under test are detected. Limits: 16 KB and 100 lines per head, 1 KB per chunk
 * line, and the given number of body bytes.
 *
 * <p>For one thread.
 */
final class StrictRequestReader {
    /** The source of bytes; as {@link java.io.InputStream#read(byte[], int, int)}. */
    @FunctionalInterface
    interface Bytes {
        int read(byte[] into, int from, int most) throws IOException;
    }

    static final int MAX_HEAD = 16 * 1024;
    static final int MAX_HEADERS = 100;
    private static final int MAX_CHUNK_LINE = 1024;
    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final Pattern REQUEST_LINE = Pattern.compile("(" + TOKEN + ") ([\\x21-\\x7e]+) HTTP/(\\d)\\.(\\d)");
    private static final Pattern NAME = Pattern.compile(TOKEN);
    private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
    private static final Pattern CHUNK_LINE = Pattern.compile("([0-9A-Fa-f]{1,8})[ \\t]*(?:;[\\t\\x20-\\x7e]*)?");

    private final Bytes source;
    private final int maxBody;
    private final byte[] buffer = new byte[8 * 1024];
    private int at;
    private int end;

    StrictRequestReader(Bytes source, int maxBody) {
        this.source = source;
        this.maxBody = maxBody;
    }

    /** Waits for the first byte of a request; false when the connection ends before it. */
    boolean await() throws IOException {
        return at < end || fill();
    }

    /** Whether bytes already read are waiting to be parsed. */
    boolean buffered() {
        return at < end;
    }

    /**
     * Reads a request line and its headers.
     *
     * @throws BadRequest when the input is not HTTP/1.1, or too large
     * @throws EOFException when the connection ended within it
     */
    RequestHead head() throws IOException {
        Budget left = new Budget(MAX_HEAD, 431, "the request line and headers exceed " + MAX_HEAD + " bytes");
        String line = line(left);
        var request = REQUEST_LINE.matcher(line.isEmpty() ? line(left) : line); // one leading empty line is allowed
        if (!request.matches()) {
            throw new BadRequest(400, "the request line is not METHOD TARGET HTTP/1.1");
        }
        if (!request.group(3).equals("1")) {
            throw new BadRequest(505, "only HTTP/1.1 is supported");
        }
        Map<String, String> headers = headers(left);
        int minor = request.group(4).equals("0") ? 0 : 1;
        if (minor == 1 && !headers.containsKey("host")) {
            throw new BadRequest(400, "the Host header is missing");
        }
        checkFraming(headers, minor);
        return new RequestHead(request.group(1), request.group(2), minor, headers);
    }

    /**
     * Reads the body that belongs to a head; empty when it has none.
     *
     * @throws BadRequest when the input is not HTTP/1.1, or too large
     * @throws EOFException when the connection ended within it
     */
    byte[] body(RequestHead head) throws IOException {
        if (head.chunked()) {
            return chunks();
        }
        String length = head.headers().getOrDefault("content-length", "0");
        if (Long.parseLong(length) > maxBody) {
            throw tooLarge();
        }
        byte[] body = new byte[Integer.parseInt(length)];
        copy(body, 0, body.length);
        return body;
    }

    private Map<String, String> headers(Budget left) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        int count = 0;
        for (String line = line(left); !line.isEmpty(); line = line(left)) {
            if (++count > MAX_HEADERS) {
                throw new BadRequest(431, "there are more than " + MAX_HEADERS + " headers");
            }
            String name = name(line);
            String before = headers.get(name);
            String value = value(line, name.length() + 1);
            headers.put(name, before == null ? value : before + ", " + value);
            if (before != null && name.equals("host")) {
                throw new BadRequest(400, "there is more than one Host header");
            }
        }
        return headers;
    }

    private static String name(String line) throws BadRequest {
        int colon = line.indexOf(':');
        if (colon < 1 || !NAME.matcher(line).region(0, colon).matches()) {
            throw new BadRequest(400, "a header line is not NAME: VALUE");
        }
        return line.substring(0, colon).toLowerCase(Locale.ROOT);
    }

    private static String value(String line, int from) throws BadRequest {
        for (int i = from; i < line.length(); i++) {
            char c = line.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw new BadRequest(400, "a header value contains a control character");
            }
        }
        return line.substring(from).strip();
    }

    /** Conflicting framing enables request smuggling: only unambiguous framing is accepted (RFC 9112, 6.3). */
    private static void checkFraming(Map<String, String> headers, int minor) throws BadRequest {
        String coding = headers.get("transfer-encoding");
        String length = headers.get("content-length");
        if (coding != null && length != null) {
            throw new BadRequest(400, "both Content-Length and Transfer-Encoding are given");
        }
        if (coding != null && (minor == 0 || !coding.equalsIgnoreCase("chunked"))) {
            throw new BadRequest(minor == 0 ? 400 : 501, "the only supported transfer coding is chunked, in HTTP/1.1");
        }
        if (length != null && !LENGTH.matcher(length).matches()) {
            throw new BadRequest(400, "Content-Length is not one number");
        }
    }

    private byte[] chunks() throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            if (size > maxBody - body.size()) {
                throw tooLarge();
            }
            byte[] chunk = new byte[size];
            copy(chunk, 0, size);
            body.write(chunk, 0, size);
            if (next() != '\r' || next() != '\n') {
                throw new BadRequest(400, "a chunk is longer than its size");
            }
        }
        headers(new Budget(MAX_HEAD, 431, "the trailers exceed " + MAX_HEAD + " bytes"));
        return body.toByteArray();
    }

    private int chunkSize() throws IOException {
        String line = line(new Budget(MAX_CHUNK_LINE, 400, "a chunk line exceeds " + MAX_CHUNK_LINE + " bytes"));
        var chunk = CHUNK_LINE.matcher(line);
        if (!chunk.matches()) {
            throw new BadRequest(400, "a chunk does not begin with its size");
        }
        long size = Long.parseLong(chunk.group(1), 16);
        if (size > maxBody) {
            throw tooLarge();
        }
        return (int) size;
    }

    private String line(Budget left) throws IOException {
        StringBuilder line = new StringBuilder(80);
        while (true) {
            int next = next();
            left.spend();
            if (next == '\r') {
                if (next() != '\n') {
                    throw new BadRequest(400, "a carriage return without a line feed");
                }
                return line.toString();
            }
            if (next == '\n') {
                throw new BadRequest(400, "a line feed without a carriage return");
            }
            line.append((char) next);
        }
    }

    private int next() throws IOException {
        if (at == end && !fill()) {
            throw new EOFException("the connection ended within a request");
        }
        return buffer[at++] & 0xff;
    }

    private void copy(byte[] into, int from, int length) throws IOException {
        int done = 0;
        while (done < length) {
            if (at == end && !fill()) {
                throw new EOFException("the connection ended within a body");
            }
            int part = Math.min(length - done, end - at);
            System.arraycopy(buffer, at, into, from + done, part);
            at += part;
            done += part;
        }
    }

    private boolean fill() throws IOException {
        int read = source.read(buffer, 0, buffer.length);
        at = 0;
        end = Math.max(read, 0);
        return read > 0;
    }

    private BadRequest tooLarge() {
        return new BadRequest(413, "the body exceeds " + maxBody + " bytes");
    }

    /** A limit on the remaining bytes. */
    private static final class Budget {
        private final int status;
        private final String message;
        private int left;

        Budget(int most, int status, String message) {
            this.left = most;
            this.status = status;
            this.message = message;
        }

        void spend() throws BadRequest {
            if (--left < 0) {
                throw new BadRequest(status, message);
            }
        }
    }
}
