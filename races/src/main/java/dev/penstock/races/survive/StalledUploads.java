package dev.penstock.races.survive;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients that send requests without their last byte, together more than the heap of the server. */
final class StalledUploads implements AutoCloseable {
    private static final int CLIENTS = 100;
    private static final int BYTES = 1 << 20;

    private final List<Socket> sockets = new ArrayList<>();

    private StalledUploads() {}

    /** Begins to send; with fewer clients once the server refuses connections. */
    static StalledUploads to(String host, int port, String path) {
        StalledUploads uploads = new StalledUploads();
        byte[] head = "POST %s HTTP/1.1\r\nHost: gateway\r\nContent-Length: %d\r\n\r\n"
                .formatted(path, BYTES)
                .getBytes(StandardCharsets.US_ASCII);
        try {
            for (int i = 0; i < CLIENTS; i++) {
                Socket socket = new Socket(host, port);
                uploads.sockets.add(socket);
                Thread.ofVirtual().name("upload").start(() -> send(socket, head));
            }
        } catch (IOException refused) {
            // Those that are connected remain.
        }
        return uploads;
    }

    private static void send(Socket socket, byte[] head) {
        try {
            socket.getOutputStream().write(head);
            socket.getOutputStream().write(new byte[BYTES - 1]);
        } catch (IOException refused) {
            // The server may refuse what it has no memory for.
        }
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // The descriptor is released all the same.
            }
        }
    }
}
