package dev.penstock.gateway;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Starts gateways from YAML, and calls them. */
final class Running {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private Running() {}

    static Gateway gateway(Path folder, String yaml) throws IOException, BadConfig {
        Path file = Files.writeString(folder.resolve("flows.yaml"), yaml);
        return Gateway.start(FlowFile.read(file).config());
    }

    /** One flow on a free port in front of a target, with admin pages and more lines of the flow. */
    static Gateway gateway(Path folder, SlowTarget target, String... lines) throws IOException, BadConfig {
        String more = String.join("\n    ", lines);
        return gateway(folder, """
                admin: { port: 0 }
                shutdown: { drain: 60s }
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "%s" } }
                    %s
                """.formatted(target.url(), more));
    }

    static String url(Gateway gateway) {
        return gateway.flows().getFirst().snapshot().from();
    }

    static HttpResponse<String> post(String url) throws IOException, InterruptedException {
        return CLIENT.send(postRequest(url), BodyHandlers.ofString());
    }

    static CompletableFuture<HttpResponse<String>> postLater(String url) {
        return CLIENT.sendAsync(postRequest(url), BodyHandlers.ofString());
    }

    private static HttpRequest postRequest(String url) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString("x"))
                .build();
    }

    static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        return method("GET", url);
    }

    static HttpResponse<String> method(String method, String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return CLIENT.send(request, BodyHandlers.ofString());
    }

    /** A started JDK server on a free port that handles each request on a virtual thread. */
    static HttpServer target(HttpHandler handler) throws IOException {
        HttpServer target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        target.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        target.createContext("/", handler);
        target.start();
        return target;
    }

    /** Waits for a condition, or fails. */
    static void until(BooleanSupplier holds) {
        until(holds, () -> "it did not happen");
    }

    /** As above; the failure shows the actual state. */
    static void until(BooleanSupplier holds, Supplier<String> instead) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(instead.get() + " within " + PATIENCE);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
