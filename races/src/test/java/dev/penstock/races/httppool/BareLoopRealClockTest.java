package dev.penstock.races.httppool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.lab.load.PaymentXml;
import dev.penstock.races.httppool.Client.Reply;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop against a peer that sends exactly the bytes of a script. */
@SuppressWarnings("StringConcatToTextBlock") // in wire format
@Timeout(30)
class BareLoopRealClockTest {
    private static final PaymentXml.Payment PAYMENT = new PaymentXml(1).apply(0);

    @Test
    void readsAnAnswerWithALength() throws Exception {
        assertThat(answerTo("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\napproved")
                        .isApproved())
                .isTrue();
    }

    @Test
    void readsAnAnswerInChunks() throws Exception {
        assertThat(answerTo("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\napp\r\n5\r\nroved\r\n0\r\n"
                        + "Trailer: 1\r\n\r\n"))
                .isEqualTo(new Reply(200, "approved"));
    }

    @Test
    void readsTheStatus() throws Exception {
        assertThat(answerTo("HTTP/1.1 503 No\r\ncontent-length:2\r\n\r\nno")).isEqualTo(new Reply(503, "no"));
    }

    @Test
    void reusesAConnectionUnlessClosed() throws Exception {
        String close = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 8\r\n\r\napproved";
        String keep = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\napproved";
        try (Peer peer = new Peer(keep, close, keep);
                BareLoop loop = new BareLoop(peer.url())) {
            for (int i = 0; i < 3; i++) {
                assertThat(loop.call(PAYMENT).isApproved()).isTrue();
            }
            assertThat(peer.accepted()).isEqualTo(2);
        }
    }

    @Test
    void sendsNothingOverAClosedConnection() throws Exception {
        String keep = "HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\napproved";
        try (Peer peer = new Peer(keep, Peer.END, keep);
                BareLoop loop = new BareLoop(peer.url())) {
            assertThat(loop.call(PAYMENT).isApproved()).isTrue();
            peer.awaitEnd();
            assertThat(loop.call(PAYMENT).isApproved()).isTrue();
            assertThat(peer.accepted()).isEqualTo(2);
        }
    }

    @Test
    void endOfStreamInsteadOfAnAnswerIsUnknown() throws Exception {
        try (Peer peer = new Peer("HTTP/1.1 200 OK\r\nContent-Le", Peer.END);
                BareLoop loop = new BareLoop(peer.url())) {
            assertThatExceptionOfType(Unknown.class).isThrownBy(() -> loop.call(PAYMENT));
        }
    }

    @Test
    void refusedConnectionIsAFailure() throws Exception {
        URI nobody;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = URI.create("http://127.0.0.1:" + closed.getLocalPort() + "/pay");
        }
        try (BareLoop loop = new BareLoop(nobody)) {
            assertThatExceptionOfType(Failed.class).isThrownBy(() -> loop.call(PAYMENT));
        }
    }

    private static Reply answerTo(String bytes) throws Exception {
        try (Peer peer = new Peer(bytes);
                BareLoop loop = new BareLoop(peer.url())) {
            return loop.call(PAYMENT);
        }
    }

    /** Answers each request with the next text of a script; {@link #END} closes the open connection immediately. */
    private static final class Peer implements AutoCloseable {
        static final String END = "";

        private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        private final Deque<String> script;
        private final Thread thread;
        private int accepted;
        private boolean ended;

        Peer(String... script) throws IOException {
            this.script = new ArrayDeque<>(Arrays.asList(script));
            this.thread = Thread.ofVirtual().start(this::serve);
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/pay");
        }

        synchronized int accepted() {
            return accepted;
        }

        /** Waits until the script has closed a connection. */
        synchronized void awaitEnd() throws InterruptedException {
            while (!ended) {
                wait(10_000);
            }
        }

        private void serve() {
            while (!script.isEmpty()) {
                try (Socket socket = server.accept()) {
                    note(false);
                    converse(socket);
                } catch (IOException e) {
                    return; // the test has ended
                }
                note(true);
            }
        }

        private void converse(Socket socket) throws IOException {
            InputStream in = socket.getInputStream();
            boolean open = true;
            while (open && !script.isEmpty() && !END.equals(script.peek())) {
                readRequest(in);
                String answer = script.pop();
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
                open = !answer.contains("Connection: close");
            }
            if (END.equals(script.peek())) {
                script.pop();
            } else if (open) {
                in.read(); // stays open until the client closes it
            }
        }

        private synchronized void note(boolean end) {
            accepted += end ? 0 : 1;
            ended = end;
            notifyAll();
        }

        private static void readRequest(InputStream in) throws IOException {
            StringBuilder request = new StringBuilder();
            while (!request.toString().endsWith("</payment>\n")) {
                int next = in.read();
                if (next < 0) {
                    throw new IOException("the client left");
                }
                request.append((char) next);
            }
            assertThat(request).startsWith("POST /pay HTTP/1.1\r\n").contains("Idempotency-Key: " + PAYMENT.id());
        }

        @Override
        public void close() throws Exception {
            server.close();
            thread.interrupt();
            thread.join();
        }
    }
}
