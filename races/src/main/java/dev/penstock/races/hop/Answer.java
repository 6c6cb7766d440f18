package dev.penstock.races.hop;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answer of a hop.
 *
 * @param bytes the size of an answer in bytes, head and body; all answers have the same size
 */
record Answer(int bytes) {
    private static final String OK = "HTTP/1.1 200 ";
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *(\\d{1,9})\r\n");
    private static final int TIMEOUT_MS = 30_000;
    private static final int MAX_HEAD = 8_192;

    /**
     * Sends two requests to a hop over one connection, and verifies the answers.
     *
     * @throws IOException if an answer is not the origin's body, the answers differ in size, or the connection was not
     *     kept alive
     */
    static Answer of(HopClient client, int port) throws IOException {
        byte[] request = client.request(port);
        try (Socket socket = client.connect(port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            int first = exchange(socket, request);
            int second = exchange(socket, request);
            if (first != second) {
                throw new IOException("two answers differ in size: " + first + " and " + second + " bytes");
            }
            return new Answer(first);
        }
    }

    private static int exchange(Socket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        String head = head(socket.getInputStream());
        Matcher length = LENGTH.matcher(head);
        if (!head.startsWith(OK) || !length.find()) {
            throw new IOException(
                    "unexpected answer: " + head.lines().findFirst().orElse("nothing"));
        }
        String body = new String(socket.getInputStream().readNBytes(Integer.parseInt(length.group(1))), US_ASCII);
        if (!body.equals(HopTraffic.BODY)) {
            throw new IOException("the answer has " + body.length() + " bytes that differ from the origin's");
        }
        return head.length() + body.length();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int next = in.read();
            if (next < 0 || head.length() > MAX_HEAD) {
                throw new EOFException("the hop closed the connection before it answered");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /**
     * The minimum number of answers that differ from this one, computed from the bytes that were read. Allows for
     * answers in flight that were cut off at the end.
     */
    long wrongIn(long answers, long bytesRead, int inFlight) {
        long missing = answers * bytes - bytesRead;
        long beyond = bytesRead - (answers + inFlight) * bytes;
        return Math.max(0, Math.ceilDiv(Math.max(missing, beyond), bytes));
    }
}
