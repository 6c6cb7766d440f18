package dev.penstock.cli.probe;

import dev.penstock.http.Header;
import dev.penstock.http.Headers;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The head of an HTTP/1.1 answer, including connection fields, which an {@code HttpTarget} does not expose.
 *
 * @param version as sent, for instance {@code HTTP/1.1}
 * @param status 200 to 599
 * @param headers the fields in order
 */
record HttpHead(String version, int status, Headers headers) {
    private static final int MAX_LINE = 16 << 10;
    private static final int MAX_LINES = 200;

    /**
     * Reads a whole answer and discards its body.
     *
     * @param bodiless whether the answer has no body, as for HEAD
     * @throws IOException the connection ended, or the answer is not HTTP/1.1
     */
    static HttpHead read(InputStream in, boolean bodiless) throws IOException {
        HttpHead head = head(in);
        while (head.status / 100 == 1) {
            head = head(in);
        }
        if (!bodiless && head.status != 204 && head.status != 304) {
            head.dropBody(in);
        }
        return head;
    }

    /** Whether the server closes the connection after this answer. */
    boolean closes() {
        String connection = headers.first("Connection");
        boolean closesExplicitly =
                connection != null && connection.toLowerCase(Locale.ROOT).contains("close");
        boolean closesByVersion = version.equals("HTTP/1.0")
                && (connection == null || !connection.toLowerCase(Locale.ROOT).contains("keep-alive"));
        return closesExplicitly || closesByVersion;
    }

    private static HttpHead head(InputStream in) throws IOException {
        String[] first = line(in).split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/") || !first[1].matches("[1-5]\\d\\d")) {
            throw new ProtocolException("not an HTTP/1.1 server; check the target");
        }
        List<Header> fields = new ArrayList<>();
        String line = line(in);
        while (!line.isEmpty()) {
            int colon = line.indexOf(':');
            if (colon < 1 || fields.size() == MAX_LINES) {
                throw new ProtocolException("the server sent an invalid answer head");
            }
            try {
                fields.add(new Header(line.substring(0, colon), line.substring(colon + 1)));
            } catch (IllegalArgumentException e) {
                throw new ProtocolException("the server sent an invalid header");
            }
            line = line(in);
        }
        return new HttpHead(first[0], Integer.parseInt(first[1]), Headers.of(fields));
    }

    private void dropBody(InputStream in) throws IOException {
        if (headers.has("Transfer-Encoding")) {
            long chunk = size(line(in).replaceFirst("[;\\s].*", ""), 16);
            while (chunk > 0) {
                drop(in, chunk);
                line(in);
                chunk = size(line(in).replaceFirst("[;\\s].*", ""), 16);
            }
            while (!line(in).isEmpty()) {
                // Trailers do not matter for the connection.
            }
            return;
        }
        String length = headers.first("Content-Length");
        if (length != null) {
            drop(in, size(length, 10));
        } else {
            in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static long size(String text, int radix) throws ProtocolException {
        try {
            return Long.parseLong(text.strip(), radix);
        } catch (NumberFormatException e) {
            throw new ProtocolException("the server sent an invalid length");
        }
    }

    private static void drop(InputStream in, long count) throws IOException {
        try {
            in.skipNBytes(count);
        } catch (EOFException e) {
            throw new EOFException("the server closed the connection in the middle of its answer");
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next >= 0 && next != '\n') {
            if (line.length() == MAX_LINE) {
                throw new ProtocolException("the server sent a line of more than 16 KB");
            }
            line.append((char) next);
            next = in.read();
        }
        if (next < 0) {
            throw new EOFException("the server closed the connection before it answered");
        }
        return line.toString().stripTrailing();
    }
}
