package dev.penstock.lab.simulate.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** Both ends of a connection through a simulator, in one test's hands. */
final class Ends implements AutoCloseable {
    private static final int PATIENCE_MS = 60_000;
    private static final int MOMENT_MS = 30;

    /** A server that accepts when told to. */
    static final class Server implements AutoCloseable {
        private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

        Server() throws IOException {
            socket.setSoTimeout(PATIENCE_MS);
        }

        int port() {
            return socket.getLocalPort();
        }

        Ends connect(TcpSimulator simulator) throws IOException {
            Socket client = client(simulator);
            Socket accepted = socket.accept();
            accepted.setSoTimeout(PATIENCE_MS);
            return new Ends(client, accepted);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    final Socket client;
    final Socket server;

    private Ends(Socket client, Socket server) {
        this.client = client;
        this.server = server;
    }

    static Socket client(TcpSimulator simulator) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), simulator.port());
        client.setSoTimeout(PATIENCE_MS);
        return client;
    }

    static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** So many bytes, or fewer when the other side ends before. */
    static String receive(Socket socket, int bytes) throws IOException {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.ISO_8859_1);
    }

    /** What a side is told: "fin", "rst", "bytes" or, for a moment, "nothing". */
    static String told(Socket socket) throws IOException {
        return told(socket, PATIENCE_MS);
    }

    /** As {@link #told}, for what is expected to be nothing. */
    static String toldInAMoment(Socket socket) throws IOException {
        return told(socket, MOMENT_MS);
    }

    private static String told(Socket socket, int patience) throws IOException {
        socket.setSoTimeout(patience);
        try {
            return socket.getInputStream().read() < 0 ? "fin" : "bytes";
        } catch (SocketTimeoutException e) {
            return "nothing";
        } catch (SocketException e) {
            return String.valueOf(e.getMessage()).contains("reset") ? "rst" : e.toString();
        } finally {
            socket.setSoTimeout(PATIENCE_MS);
        }
    }

    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
