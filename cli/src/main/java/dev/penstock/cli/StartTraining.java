package dev.penstock.cli;

import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The training run for the JVM's AOT cache (JEP 514): a gateway with typical flows under load for a few seconds. The
 * cache then contains the linked classes of a gateway and its method profiles (JEP 515), so a gateway that starts under
 * load is ready sooner. {@code ./penstock} runs it once after each build; it is not a command.
 */
public final class StartTraining {
    private static final int CLIENTS = 32;
    private static final Duration LASTING = Duration.ofSeconds(5);
    private static final Duration TARGET_DELAY = Duration.ofMillis(20);

    private StartTraining() {}

    /**
     * Runs the training in a temporary folder, on free ports.
     *
     * @param args none
     * @throws Exception a gateway cannot run here
     */
    public static void main(String[] args) throws Exception {
        try (TempFolder temp = TempFolder.create("penstock-training");
                HttpSimulator target = HttpSimulator.builder()
                        .delay(new Delay.Constant(TARGET_DELAY))
                        .start()) {
            Path folder = temp.path();
            Path file = Files.writeString(folder.resolve("flows.yaml"), flows(folder, target.url()));
            PrintWriter nowhere = new PrintWriter(new StringWriter());
            Penstock.execute(nowhere, nowhere, "check", file.toString());
            train(file);
        }
        System.exit(0);
    }

    private static String flows(Path folder, String target) {
        return """
                admin: { port: 0 }
                state: "%1$s"
                flows:
                  payments:
                    from: { http: { port: 0, path: /payments } }
                    to: { http: { url: "%2$s/" } }
                    dedupe: Idempotency-Key
                  orders:
                    from: { http: { port: 0, path: /orders } }
                    to: { http: { url: "%2$s/" } }
                    retry: { attempts: 2, key: Idempotency-Key }
                  accept:
                    from: { http: { port: 0, path: /accept } }
                    to: { jms: { url: embedded, queue: accepted } }
                  carry:
                    from: { jms: { url: embedded, queue: accepted, key: JMSMessageID } }
                    to: { http: { url: "%2$s/" } }
                """.formatted(folder.resolve("state"), target);
    }

    private static void train(Path file) throws IOException, BadConfig, InterruptedException {
        try (Gateway gateway = Gateway.start(FlowFile.read(file).config());
                HttpClient client = HttpClient.newHttpClient()) {
            send(client, gateway);
            URI admin = Objects.requireNonNull(gateway.adminAddress());
            client.send(HttpRequest.newBuilder(admin.resolve("/settings")).build(), BodyHandlers.discarding());
            gateway.drain();
        }
    }

    /** Returns when the time is over and all requests are answered. */
    private static void send(HttpClient client, Gateway gateway) {
        List<URI> urls = gateway.flows().stream()
                .map(flow -> flow.snapshot().from())
                .filter(from -> from.startsWith("http:"))
                .map(URI::create)
                .toList();
        long end = System.nanoTime() + LASTING.toNanos();
        try (ExecutorService clients = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("penstock-training").factory())) {
            for (int i = 0; i < CLIENTS; i++) {
                String name = "client-" + i + "-";
                URI url = urls.get(i % urls.size());
                clients.execute(() -> sendUntil(end, client, url, name));
            }
        }
    }

    private static void sendUntil(long end, HttpClient client, URI url, String name) {
        try {
            for (int n = 0; System.nanoTime() - end < 0; n++) {
                client.send(post(url, name + n), BodyHandlers.discarding());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static HttpRequest post(URI url, String key) {
        return HttpRequest.newBuilder(url)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString("{\"amount\": 1}"))
                .build();
    }
}
