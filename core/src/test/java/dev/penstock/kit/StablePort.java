package dev.penstock.kit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that a test stops and starts again in the same place, or that has to be known before the server
 * listens.
 *
 * <p>A port that the system chose ({@code port 0}) belongs to nobody while the server is down: the next socket of any process
 * may get it. The system never gives the ports from here to other sockets, since they lie below its range
 * ({@code ip_local_port_range}, 32768 and above on Linux, 49152 elsewhere).
 */
public final class StablePort {
    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 31_999;
    private static final int TRIES = 100;

    private StablePort() {}

    /**
     * A port of the loopback interface that is free now.
     *
     * @throws IOException when 100 ports in a row are taken
     */
    public static int free() throws IOException {
        for (int attempt = 0; attempt < TRIES; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
            try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return port;
            } catch (IOException taken) {
                continue;
            }
        }
        throw new IOException("no port between " + LOWEST + " and " + HIGHEST + " is free on the loopback interface");
    }
}
