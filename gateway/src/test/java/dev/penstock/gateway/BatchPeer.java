package dev.penstock.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A target that accepts single payments at {@code /pay}, and batches at {@code /batch}; it has articles at {@code
 * /v1/articles}, and lists of them at {@code /v1/list}; it counts on at {@code /v1/numbers}. It refuses a payment of 13, and
 * a whole batch that contains one.
 */
final class BatchPeer implements AutoCloseable {
    private static final Pattern UNLUCKY = Pattern.compile("\"amount\":13\\b");

    final List<Integer> batches = new CopyOnWriteArrayList<>();
    final List<String> authorizations = new CopyOnWriteArrayList<>();
    final List<String> alone = new CopyOnWriteArrayList<>();
    /** Changes the list of answers before it is sent. */
    volatile UnaryOperator<String> twist = UnaryOperator.identity();

    /** How many numbers each call asked for. */
    final List<Integer> howMany = new CopyOnWriteArrayList<>();

    private final AtomicInteger counter = new AtomicInteger();
    private final HttpServer server;
    private volatile CountDownLatch held = new CountDownLatch(0);

    BatchPeer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_000);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/pay", this::one);
        server.createContext("/batch", this::many);
        server.createContext("/v1/articles", this::article);
        server.createContext("/v1/list", this::articles);
        server.createContext("/v1/numbers", this::numbers);
        server.start();
    }

    private void one(HttpExchange exchange) throws IOException {
        String body = body(exchange);
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        alone.add(key == null ? body : key);
        boolean refused = UNLUCKY.matcher(body).find();
        answer(exchange, refused ? 422 : 200, refused ? "{\"no\":true}" : body.replace("amount", "took"));
    }

    private void many(HttpExchange exchange) throws IOException {
        String body = body(exchange);
        JsonNode list = JsonMapper.shared().readTree(body);
        batches.add(list.size());
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        boolean refused = UNLUCKY.matcher(body).find();
        answer(
                exchange,
                refused ? 422 : 200,
                refused ? "{\"no\":\"all\"}" : twist.apply(body.replace("amount", "took")));
    }

    /** An article by its id, which is in the path or in the query. */
    private void article(HttpExchange exchange) throws IOException {
        String uri = exchange.getRequestURI().toString();
        alone.add(uri);
        answer(exchange, 200, "{\"id\":" + uri.replaceFirst(".*\\D", "") + "}");
    }

    /** Articles by their ids, the last first. */
    private void articles(HttpExchange exchange) throws IOException {
        List<String> ids = List.of(
                exchange.getRequestURI().getQuery().substring("ids=".length()).split("\\|"));
        batches.add(ids.size());
        answer(
                exchange,
                200,
                ids.reversed().stream()
                        .map(id -> "{\"id\":" + id + "}")
                        .toList()
                        .toString());
    }

    /** As many numbers as asked for, never the same twice. */
    private void numbers(HttpExchange exchange) throws IOException {
        int asked = Integer.parseInt(exchange.getRequestURI().getQuery().substring("howMany=".length()));
        howMany.add(asked);
        int first = counter.getAndAdd(asked);
        answer(
                exchange,
                200,
                IntStream.range(first, first + asked).boxed().toList().toString());
    }

    /** Answers nothing until {@link #release}. */
    void hold() {
        held = new CountDownLatch(1);
    }

    void release() {
        held.countDown();
    }

    private static String body(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private void answer(HttpExchange exchange, int status, String text) throws IOException {
        try {
            held.await();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    @Override
    public void close() {
        release();
        server.stop(0);
    }
}
