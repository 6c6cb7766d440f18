package dev.penstock.races.hop;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a hop answers.
 *
 * @param bytes how many an answer has on the wire, head and body; they are all alike
 */
record Answer(int bytes) {
    private static final String OK = "HTTP/1.1 200 ";
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\nContent-Length: *(\\d{1,9})\r\n");
    private static final int PATIENCE_MS = 30_000;
    private static final int LONGEST_HEAD = 8_192;

    /**
     * Asks a hop twice over one connection, and looks at the answers.
     *
     * @throws IOException when it is not the origin's body that came, or not the same both times, or the connection was not kept
     */
    static Answer of(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MS);
            int first = exchange(socket);
            int second = exchange(socket);
            if (first != second) {
                throw new IOException("two answers have " + first + " and " + second + " bytes");
            }
            return new Answer(first);
        }
    }

    private static int exchange(Socket socket) throws IOException {
        socket.getOutputStream().write(HopTraffic.request(socket.getPort()));
        String head = head(socket.getInputStream());
        Matcher length = LENGTH.matcher(head);
        if (!head.startsWith(OK) || !length.find()) {
            throw new IOException("it answers " + head.lines().findFirst().orElse("nothing"));
        }
        String body = new String(socket.getInputStream().readNBytes(Integer.parseInt(length.group(1))), US_ASCII);
        if (!body.equals(HopTraffic.BODY)) {
            throw new IOException("it answers " + body.length() + " bytes that the origin did not send");
        }
        return head.length() + body.length();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int next = in.read();
            if (next < 0 || head.length() > LONGEST_HEAD) {
                throw new EOFException("it ends the connection before it has answered");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    /** How many of so many answers were not like this one, at least; some bytes are of answers that were cut by the end. */
    long wrongIn(long answers, long bytesRead, int underWay) {
        long missing = answers * bytes - bytesRead;
        long beyond = bytesRead - (answers + underWay) * bytes;
        return Math.max(0, Math.ceilDiv(Math.max(missing, beyond), bytes));
    }
}
