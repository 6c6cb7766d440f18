package dev.penstock.observe.page;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.flow.Flow;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.observe.page.Dashboard.Page;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard of a program that embeds flows, for browsers on the same machine:
 *
 * <pre>{@code
 * PenstockPage page = PenstockPage.serve(9090, payments);
 * }</pre>
 *
 * <p>It shows, and changes nothing: pin a setting by {@link Flow#pin} or JMX. Its threads do not keep the program alive.
 * Thread-safe.
 */
public final class PenstockPage implements AutoCloseable {
    /** What a browser sends for this machine. The page of another site cannot send it (DNS rebinding). */
    private static final Pattern LOCAL = Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");

    private final Dashboard dashboard;
    private final HttpServer server;
    private final Map<String, Supplier<Page>> added = new ConcurrentHashMap<>();

    private PenstockPage(Dashboard dashboard, HttpServer server) {
        this.dashboard = dashboard;
        this.server = server;
    }

    /**
     * Serves the dashboard on the loopback address.
     *
     * @param port the port; 0 for any free one
     * @param flows the flows to show; their names must be unique
     * @return close it to stop
     * @throws IOException the port is in use
     */
    public static PenstockPage serve(int port, Flow<?, ?>... flows) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        PenstockPage page = new PenstockPage(new Dashboard(WatchedProcess.of(flows), false), server);
        server.createContext("/", page::handle);
        server.setExecutor(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("penstock-page").factory()));
        // Its dispatcher is a daemon if the thread that starts it is one. Connections wait until then.
        Thread.ofPlatform().daemon().name("penstock-page").start(server::start);
        page.dashboard.start();
        return page;
    }

    /**
     * Adds a page, for instance of Prometheus: {@code page.add("/metrics", "text/plain; version=0.0.4", registry::scrape)}.
     *
     * @param path its path
     * @param type its Content-Type
     * @param body writes it; must be thread-safe
     * @return this
     */
    public PenstockPage add(String path, String type, Supplier<String> body) {
        added.put(path, () -> new Page(200, type, body.get()));
        return this;
    }

    /** {@return the address of the dashboard} */
    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String host = exchange.getRequestHeaders().getFirst("Host");
            boolean reads = exchange.getRequestMethod().matches("GET|HEAD");
            if (host == null || !LOCAL.matcher(host).matches()) {
                answer(exchange, plain(403, "only this machine may use this page\n"));
            } else if (!reads) {
                answer(exchange, plain(405, "GET and HEAD only\n"));
            } else if (exchange.getRequestURI().getPath().equals("/events")) {
                answer(
                        exchange,
                        dashboard.stream(
                                exchange.getRequestHeaders().getFirst("Last-Event-ID"), () -> stream(exchange)));
            } else {
                Page page = page(exchange.getRequestURI());
                answer(
                        exchange,
                        page == null
                                ? plain(
                                        404,
                                        "not found: see /, /health, /ready, /flows, /settings, /history, /events\n")
                                : page);
            }
        }
    }

    private @Nullable Page page(URI uri) {
        Supplier<Page> own = added.get(uri.getPath());
        return own == null ? dashboard.get(uri.toString()) : own.get();
    }

    private static Page plain(int status, String text) {
        return new Page(status, "text/plain; charset=utf-8", text);
    }

    private OutputStream stream(HttpExchange exchange) throws IOException {
        head(exchange, "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(200, 0);
        return exchange.getResponseBody();
    }

    private void head(HttpExchange exchange, String type) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Content-Security-Policy", dashboard.policy());
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
    }

    private void answer(HttpExchange exchange, @Nullable Page page) throws IOException {
        if (page == null) {
            return;
        }
        byte[] body = page.body().getBytes(UTF_8);
        head(exchange, page.type());
        boolean hasBody = exchange.getRequestMethod().equals("GET");
        exchange.sendResponseHeaders(page.status(), hasBody ? body.length : -1);
        if (hasBody) {
            exchange.getResponseBody().write(body);
        }
    }

    /** Stops the server. Idempotent. */
    @Override
    public void close() {
        dashboard.close();
        server.stop(0);
    }
}
