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
 * What an HTTP/1.1 server says before the body of its answer, connection fields too: a target keeps those to itself.
 *
 * @param version as it says it, for instance {@code HTTP/1.1}
 * @param status 200 to 599
 * @param headers in their order
 */
record HttpHead(String version, int status, Headers headers) {
    private static final int MOST_LINE = 16 << 10;
    private static final int MOST_LINES = 200;

    /**
     * Reads a whole answer, and drops its body.
     *
     * @param bodiless whether the request was one whose answer has no body, a HEAD
     * @throws IOException the connection ended, or it is no such answer
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
        boolean says = connection != null && connection.toLowerCase(Locale.ROOT).contains("close");
        boolean old = version.equals("HTTP/1.0")
                && (connection == null || !connection.toLowerCase(Locale.ROOT).contains("keep-alive"));
        return says || old;
    }

    private static HttpHead head(InputStream in) throws IOException {
        String[] first = line(in).split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/") || !first[1].matches("[1-5]\\d\\d")) {
            throw new ProtocolException("this is no HTTP/1.1 server: see whether the target is right");
        }
        List<Header> fields = new ArrayList<>();
        String line = line(in);
        while (!line.isEmpty()) {
            int colon = line.indexOf(':');
            if (colon < 1 || fields.size() == MOST_LINES) {
                throw new ProtocolException("the server sends a head that cannot be read");
            }
            try {
                fields.add(new Header(line.substring(0, colon), line.substring(colon + 1)));
            } catch (IllegalArgumentException e) {
                throw new ProtocolException("the server sends a header that cannot be read");
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
                // A trailer says nothing of the connection.
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
            throw new ProtocolException("the server sends a length that cannot be read");
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
            if (line.length() == MOST_LINE) {
                throw new ProtocolException("the server sends a line of more than 16 KB");
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
