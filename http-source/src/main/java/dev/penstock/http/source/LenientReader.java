package dev.penstock.http.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.helidon.http.DirectHandler;
import io.helidon.http.RequestException;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Accepts requests that RFC 9112 requires a server to accept but Helidon refuses: HTTP/1.0, an empty line before a request, a
 * request target in absolute form, and chunk extensions. Not thread-safe.
 *
 * <h2>Design note</h2>
 *
 * <p>Helidon's HTTP/1.1 parser reads the request line with {@link #findNewLine} and {@link #readBytes}, and lines of a chunked
 * body with {@link #readLine}. This class changes their results, so that the parser sees an equivalent HTTP/1.1 request in
 * origin form. It does not move any boundary between messages: header fields, bodies and line ends are unchanged.
 * {@link RequestRules} applies the differences of HTTP/1.0.
 */
final class LenientReader extends UnchainedReader {
    private static final byte[] PROTOCOL = " HTTP/".getBytes(US_ASCII);
    /** Length of a space and the version, as in {@code " HTTP/1.1"}. */
    private static final int VERSION_LENGTH = 9;

    private boolean beforeRequest = true;
    private boolean http10;
    private @Nullable String authority;

    LenientReader(Supplier<byte[]> source) {
        super(source);
    }

    /** Whether the client sent the current request as HTTP/1.0. */
    boolean isHttp10() {
        return http10;
    }

    /** The authority of a request target in absolute form, not validated; null for a target in origin form. */
    @Nullable
    String authority() {
        return authority;
    }

    @Override
    void renew() {
        super.renew();
        beforeRequest = true;
    }

    /** Ignores one empty line before a request (RFC 9112 section 2.2). */
    @Override
    public int findNewLine(int most) throws IncorrectNewLineException {
        if (beforeRequest && startsWithNewLine()) {
            skip(2);
        }
        return super.findNewLine(most);
    }

    @Override
    public byte[] readBytes(int length) {
        byte[] bytes = super.readBytes(length);
        if (!beforeRequest) {
            return bytes;
        }
        beforeRequest = false;
        return requestLine(bytes);
    }

    /** Returns a chunk size without its extensions (RFC 9112 section 7.1.1), which {@link ChunkFraming} has validated. */
    @Override
    public String readLine() throws IncorrectNewLineException {
        String line = super.readLine();
        int extensions = line.indexOf(';');
        return extensions <= 0 ? line : line.substring(0, extensions).stripTrailing();
    }

    private byte[] requestLine(byte[] line) {
        http10 = false;
        authority = null;
        readVersion(line);
        int space = firstSpace(line);
        hideLowerCase(line, space);
        boolean absolute = space + 1 < line.length && line[space + 1] != '/' && line[space + 1] != '*';
        return absolute ? originForm(line, space + 1) : line;
    }

    private void readVersion(byte[] line) {
        int at = line.length - VERSION_LENGTH;
        for (int i = 0; i < PROTOCOL.length; i++) {
            if (at < 0 || line[at + i] != PROTOCOL[i]) {
                return;
            }
        }
        int major = line[at + 6];
        int minor = line[at + 8];
        if (!isDigit(major) || line[at + 7] != '.' || !isDigit(minor)) {
            return;
        }
        if (major != '1') {
            throw RequestException.builder()
                    .type(DirectHandler.EventType.HTTP_VERSION_NOT_SUPPORTED)
                    .message("HTTP/1.1 and HTTP/1.0 only")
                    .build();
        }
        http10 = minor == '0';
        line[at + 8] = '1';
    }

    /**
     * Methods are case-sensitive (RFC 9110 section 9.1), but Helidon converts them to upper case and would accept {@code get}
     * as GET. Replacing lower-case letters by exclamation marks makes it an unknown method.
     */
    private static void hideLowerCase(byte[] line, int end) {
        for (int i = 0; i < end; i++) {
            if (line[i] >= 'a' && line[i] <= 'z') {
                line[i] = '!';
            }
        }
    }

    /** Converts a request target in absolute form (RFC 9112 section 3.2.2) to origin form. */
    private byte[] originForm(byte[] line, int target) {
        // Latin-1 preserves bytes outside ASCII, which are refused later.
        String text = new String(line, target, line.length - target, ISO_8859_1);
        String lower = text.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("http://") && !lower.startsWith("https://")) {
            return line;
        }
        int host = text.indexOf("//") + 2;
        int end = host;
        while (end < text.length() && "/?# ".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        authority = text.substring(host, end);
        String rest = text.substring(end);
        String path = rest.startsWith("/") ? rest : "/" + rest;
        return (new String(line, 0, target, ISO_8859_1) + path).getBytes(ISO_8859_1);
    }

    private static boolean isDigit(int b) {
        return b >= '0' && b <= '9';
    }

    private static int firstSpace(byte[] line) {
        int at = 0;
        while (at < line.length && line[at] != ' ') {
            at++;
        }
        return at;
    }
}
