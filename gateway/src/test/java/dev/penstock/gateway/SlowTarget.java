package dev.penstock.gateway;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A local target that answers {@code done}, and makes its callers wait while it is held. */
final class SlowTarget implements AutoCloseable {
    final AtomicInteger received = new AtomicInteger();
    /** Of the last request. */
    volatile Headers headers = new Headers();

    private final HttpServer server;
    private volatile CountDownLatch held = new CountDownLatch(0);

    SlowTarget() throws IOException {
        server = Running.target(this::answer);
    }

    private void answer(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        headers = exchange.getRequestHeaders();
        received.incrementAndGet();
        try (exchange) {
            held.await();
            byte[] body = "done".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    void hold() {
        held = new CountDownLatch(1);
    }

    void release() {
        held.countDown();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/t";
    }

    @Override
    public void close() {
        release();
        server.stop(0);
    }
}
