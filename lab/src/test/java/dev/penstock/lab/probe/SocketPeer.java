package dev.penstock.lab.probe;

import dev.penstock.Service;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/** A peer that speaks just enough HTTP/1.1 for a probe of a simulator; idle connections may go by another port. */
final class SocketPeer implements ProbePeer {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: peer\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final int port;
    private final int idlePort;
    private final ConcurrentLinkedDeque<Line> free = new ConcurrentLinkedDeque<>();

    SocketPeer(int port, int idlePort) {
        this.port = port;
        this.idlePort = idlePort;
    }

    @Override
    public String where() {
        return "http://peer";
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        Service<Long, Integer> service = number -> {
            Line line = free.pollFirst();
            if (line == null) {
                line = new Line(port);
            }
            int status = line.call(30_000);
            free.addFirst(line);
            return status;
        };
        return load.run(service, number -> number, status -> status == 200);
    }

    @Override
    public List<AnnouncedLimit> announced() {
        return List.of();
    }

    @Override
    public IdleConnection.Port idle() {
        return () -> {
            Line line = new Line(idlePort);
            line.call(5_000);
            return line;
        };
    }

    @Override
    public ProbePeer.@Nullable Batches batch() {
        return null;
    }

    @Override
    public void close() {
        free.forEach(Line::close);
    }

    private static final class Line implements IdleConnection {
        private final Socket socket;
        private final InputStream in;

        Line(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
        }

        int call(int millis) throws IOException {
            socket.setSoTimeout(millis);
            socket.getOutputStream().write(REQUEST);
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                int next = in.read();
                if (next < 0) {
                    throw new IOException("closed");
                }
                head.append((char) next);
            }
            String lower = head.toString().toLowerCase(Locale.ROOT);
            int at = lower.indexOf("content-length:") + 15;
            int length = Integer.parseInt(
                    lower.substring(at, lower.indexOf("\r\n", at)).trim());
            in.readNBytes(length);
            return Integer.parseInt(head.substring(9, 12));
        }

        @Override
        public @Nullable KillKind ended(Duration atMost) {
            try {
                socket.setSoTimeout((int) Math.max(1, atMost.toMillis()));
                return in.read() < 0 ? KillKind.FIN : null;
            } catch (SocketTimeoutException e) {
                return null;
            } catch (IOException e) {
                return KillKind.RST;
            }
        }

        @Override
        public @Nullable KillKind use(Duration atMost) {
            try {
                call((int) atMost.toMillis());
                return null;
            } catch (SocketTimeoutException e) {
                return KillKind.SILENT;
            } catch (SocketException e) {
                return KillKind.RST;
            } catch (IOException e) {
                return KillKind.FIN;
            }
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // It is gone, which is all that was wanted.
            }
        }
    }
}
