package dev.penstock.races.survive;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients that send requests without the last byte, together more than the server's heap. */
final class StalledUploads implements AutoCloseable {
    private static final int CLIENTS = 100;
    private static final int BYTES = 1 << 20;

    private final List<Socket> sockets = new ArrayList<>();

    private StalledUploads() {}

    /** Starts the uploads. Stops adding clients once the server refuses connections. */
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
            // Keep the connections that were accepted.
        }
        return uploads;
    }

    private static void send(Socket socket, byte[] head) {
        try {
            socket.getOutputStream().write(head);
            socket.getOutputStream().write(new byte[BYTES - 1]);
        } catch (IOException refused) {
            // The server may refuse uploads that it has no memory for.
        }
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // The descriptor is released anyway.
            }
        }
    }
}
