package dev.penstock.jms;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Finds out what is at an address where an AMQP 1.0 client could not connect, by a connection of its own. */
final class AmqpPeer {
    /** The protocol header for SASL (AMQP 1.0, section 5.3.2), which a broker answers with the header that it expects. */
    private static final byte[] HEADER = {'A', 'M', 'Q', 'P', 3, 1, 0, 0};

    private static final int AMQP_PORT = 5672;
    private static final int TIMEOUT_MS = 1_000;

    private AmqpPeer() {}

    /**
     * Describes a peer that accepts connections and is no AMQP 1.0 broker. Takes up to 2 s.
     *
     * @param url of the broker
     * @return one sentence; null for a broker, when there is no connection, and for TLS or several addresses
     */
    static @Nullable String describe(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException several) {
            return null;
        }
        if (!"amqp".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
            return null;
        }
        int port = uri.getPort() < 0 ? AMQP_PORT : uri.getPort();
        String found = found(new InetSocketAddress(uri.getHost().replaceAll("[\\[\\]]", ""), port));
        return found == null
                ? null
                : "no AMQP 1.0 at " + uri.getHost() + ":" + port + ": the peer " + found
                        + "; check the port, and that the broker accepts AMQP 1.0 there";
    }

    private static @Nullable String found(InetSocketAddress at) {
        try (Socket socket = new Socket()) {
            socket.connect(at, TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            try {
                socket.getOutputStream().write(HEADER);
                return said(socket.getInputStream().readNBytes(HEADER.length));
            } catch (SocketTimeoutException nothing) {
                return "accepted the connection and sent nothing";
            } catch (SocketException reset) {
                return "closed the connection";
            }
        } catch (IOException noConnection) {
            return null;
        }
    }

    private static @Nullable String said(byte[] first) {
        if (first.length == 0) {
            return "closed the connection";
        }
        boolean isAmqp = first.length == HEADER.length && Arrays.equals(first, 0, 4, HEADER, 0, 4);
        if (isAmqp && first[5] == 1 && first[6] == 0) {
            return null;
        }
        if (isAmqp) {
            return "expects AMQP " + first[5] + "-" + first[6] + "-" + first[7];
        }
        String text = new String(first, StandardCharsets.ISO_8859_1);
        return "sent "
                + (text.chars().allMatch(c -> c >= ' ' && c < 127)
                        ? text
                        : HexFormat.of().formatHex(first));
    }
}
