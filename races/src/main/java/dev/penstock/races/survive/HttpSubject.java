package dev.penstock.races.survive;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A flow to an HTTP server, the JDK's, which writes down what it received as soon as it has the whole body. */
final class HttpSubject extends FlowUnderTest {
    private static final String KEY = "Idempotency-Key";
    private static final int REQUEST_HEAD = 200;
    private static final int ANSWER_HEAD = 120;

    private final Peer peer;

    private HttpSubject(Peer peer, EmbeddedFlow<HttpCall, HttpAnswer> flow, TcpPath path) {
        super(flow, path);
        this.peer = peer;
    }

    static SystemUnderTest open(Schedule schedule) throws IOException {
        String padding = " ".repeat(schedule.size());
        Peer peer = new Peer(padding);
        TcpPath path = new TcpPath(peer.port(), REQUEST_HEAD + schedule.size(), ANSWER_HEAD + schedule.size());
        EmbeddedFlow.Shape<HttpCall, HttpAnswer> shape = new EmbeddedFlow.Shape<>(
                HttpCall.class,
                HttpAnswer.class,
                id -> HttpCall.post("/", padding + id).withHeader(KEY, id),
                call -> String.valueOf(call.key(KEY)),
                answer -> answer.text().strip(),
                id -> HttpAnswer.of(200, id));
        HttpTarget target = HttpTarget.of("http://127.0.0.1:" + path.port());
        return new HttpSubject(peer, new EmbeddedFlow<>(schedule, shape, target), path);
    }

    @Override
    public Map<String, Integer> received() {
        super.close();
        peer.close();
        return Map.copyOf(peer.received);
    }

    @Override
    public void close() {
        super.close();
        peer.close();
    }

    private static final class Peer implements AutoCloseable {
        final Map<String, Integer> received = new ConcurrentHashMap<>();
        private final String padding;
        private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
        private final HttpServer server;

        Peer(String padding) throws IOException {
            this.padding = padding;
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(handlers);
            server.createContext("/", this::receive);
            server.start();
        }

        int port() {
            return server.getAddress().getPort();
        }

        private void receive(HttpExchange exchange) throws IOException {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                String id = exchange.getRequestHeaders().getFirst(KEY);
                if (!body.equals(padding + id)) {
                    return; // Only a part of it came.
                }
                received.merge(id, 1, Integer::sum);
                byte[] answer = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        }

        @Override
        public void close() {
            server.stop(0);
            handlers.close();
        }
    }
}
