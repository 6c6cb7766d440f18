package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.IdempotencyStore;
import dev.penstock.gateway.status.StatusStore;
import dev.penstock.http.HttpAnswer;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import dev.penstock.jms.broker.EmbeddedBroker;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages whose processing kills the gateway's process. */
@Timeout(600)
class PoisonRealClockTest {
    private static final String POISON = "poison";
    private static final String DIED = "the process died while processing it";
    private static final int INNOCENTS = 10;

    /** The number of starts until the message is a dead letter; for instance -Dpenstock.poison.starts=20. */
    private static final int STARTS = Integer.getInteger("penstock.poison.starts", 3);

    @TempDir
    Path folder;

    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch accepted = new CountDownLatch(1);
    private volatile CompletableFuture<ChildGateway> started = new CompletableFuture<>();
    private volatile boolean isDeadly = true;
    private volatile boolean answers = true;
    private HttpServer target;
    private Path flows;

    @BeforeEach
    void open() throws IOException {
        flows = folder.resolve("flows.yaml");
        target = Running.target(this::take);
    }

    @AfterEach
    void close() {
        closing.countDown();
        target.stop(0);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            boolean isAnswered = answers;
            received.computeIfAbsent(body, first -> new AtomicInteger()).incrementAndGet();
            if (body.equals(POISON)) {
                accepted.await();
                if (isDeadly) {
                    // The message may arrive before this process knows that the gateway serves.
                    started.get().kill();
                }
            }
            if (body.equals(POISON) || !isAnswered) {
                closing.await();
            }
            exchange.sendResponseHeaders(204, -1);
        } catch (InterruptedException | ExecutionException over) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(String key) throws IOException {
        flows = Files.writeString(folder.resolve("flows.yaml"), """
                state: %s
                flows:
                  accept:
                    from: { http: { port: 0, path: /pay } }
                    to: { jms: { url: embedded, queue: payments } }
                  carry:
                    from: { jms: { url: embedded, queue: payments%s, redeliver: { attempts: %d } } }
                    to: { http: { url: "http://127.0.0.1:%d/" } }
                    deadline: 5m
                """.formatted(
                folder.resolve("state"), key, STARTS, target.getAddress().getPort()));
    }

    private ChildGateway start() throws IOException {
        started = new CompletableFuture<>();
        ChildGateway gateway = ChildGateway.start(flows, folder.resolve("errors"), "-Xmx192m");
        started.complete(gateway);
        return gateway;
    }

    /** The path of the status. */
    private static String accept(ChildGateway gateway, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.url()))
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> accepted = Running.CLIENT.send(request, BodyHandlers.ofString());
        assertThat(accepted.statusCode()).isEqualTo(202);
        return accepted.headers().firstValue("Location").orElseThrow();
    }

    private static String status(ChildGateway gateway, String location) {
        try {
            return Running.get(URI.create(gateway.url()).resolve(location).toString())
                    .body();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    /** Sends the poison message, which kills the process. Returns the path of its status. */
    private String dieOverPoison() throws Exception {
        try (ChildGateway gateway = start()) {
            String poison = accept(gateway, POISON);
            accepted.countDown();
            gateway.awaitEnd();
            return poison;
        }
    }

    private int received(String body) {
        AtomicInteger count = received.get(body);
        return count == null ? 0 : count.get();
    }

    private EmbeddedBroker journal() throws IOException {
        return EmbeddedBroker.in(folder.resolve("state.broker"));
    }

    /** The dead letters in the journal of a gateway that has ended. */
    private List<Message> deadLetters(EmbeddedBroker broker) {
        List<Message> found = new ArrayList<>();
        try (ActiveMQConnectionFactory factory = new ActiveMQConnectionFactory(broker.localUrl());
                JMSContext context = ((ConnectionFactory) factory).createContext()) {
            var letters = context.createConsumer(context.createQueue("payments.DLQ"));
            for (long left = broker.count("payments.DLQ"); left > 0; left--) {
                found.add(letters.receive());
            }
        }
        return found;
    }

    @Test
    @Tag("full")
    @Tag("full-only")
    void keyedMessageThatKillsEachProcessBecomesADeadLetterAndOthersAreNotRepeated() throws Exception {
        write(", key: JMSMessageID");
        Map<String, String> innocents = new LinkedHashMap<>();
        String poison;
        answers = false;
        try (ChildGateway gateway = start()) {
            for (int n = 0; n < INNOCENTS; n++) {
                innocents.put("innocent " + n, accept(gateway, "innocent " + n));
            }
            Running.until(() -> received.size() == INNOCENTS);
            poison = accept(gateway, POISON);
            accepted.countDown();
            gateway.awaitEnd();
        }
        answers = true;
        for (int starts = 2; starts <= STARTS; starts++) {
            try (ChildGateway gateway = start()) {
                gateway.awaitEnd();
            }
            assertThat(received(POISON)).isEqualTo(starts);
        }
        isDeadly = false;
        try (ChildGateway gateway = start()) {
            Running.until(() -> status(gateway, poison).contains("\"ending\":\"unknown\""));
            assertThat(status(gateway, poison)).contains("\"reason\":\"" + DIED + ", " + STARTS + " times");
            for (String innocent : innocents.values()) {
                Running.until(() -> status(gateway, innocent).contains("\"ending\":\"answered\""));
            }
            gateway.stop();
        }
        assertThat(received(POISON)).isEqualTo(STARTS);
        // One for the poison message, and one for each message in progress at the first death of the process.
        assertThat(innocents.keySet())
                .allSatisfy(body -> assertThat(received(body)).isEqualTo(2));
        try (EmbeddedBroker broker = journal()) {
            assertThat(broker.count("payments")).isZero();
            assertThat(deadLetters(broker)).singleElement().satisfies(letter -> {
                assertThat(letter.getStringProperty("penstock_reason")).startsWith(DIED);
                assertThat(letter.getIntProperty("penstock_attempts")).isEqualTo(STARTS);
            });
        }
    }

    @Test
    void doesNotResendMessageWithoutKey() throws Exception {
        write("");
        String poison = dieOverPoison();
        isDeadly = false;
        try (ChildGateway gateway = start()) {
            Running.until(() -> status(gateway, poison).contains("\"ending\":\"unknown\""));
            assertThat(status(gateway, poison)).contains("\"reason\":\"" + DIED);
            gateway.stop();
        }
        assertThat(received(POISON)).isEqualTo(1);
        try (EmbeddedBroker broker = journal()) {
            assertThat(broker.count("payments")).isZero();
            assertThat(deadLetters(broker))
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.getStringProperty("penstock_reason"))
                            .startsWith(DIED));
        }
    }

    /** The disk after a crash between the ending and the acknowledgement: both the ending and the message. */
    @Test
    void answeredMessageWithLostAcknowledgementStaysAnswered() throws Exception {
        write("");
        String location = dieOverPoison();
        try (IdempotencyStore ledger = JdbcIdempotencyStore.inFile(folder.resolve("state.keys"))) {
            ledger.open();
            new StatusStore(ledger, Duration.ofDays(1), 1_000)
                    .answered(location.replaceFirst(".*/", ""), HttpAnswer.of(200, "paid"));
        }
        try (ChildGateway gateway = start()) {
            String after = accept(gateway, "after");
            Running.until(() -> status(gateway, after).contains("\"ending\":\"answered\""));
            gateway.stop();
        }
        assertThat(received(POISON)).isEqualTo(1);
        try (EmbeddedBroker broker = journal()) {
            assertThat(broker.count("payments")).isZero();
            assertThat(deadLetters(broker)).isEmpty();
        }
        try (IdempotencyStore ledger = JdbcIdempotencyStore.inFile(folder.resolve("state.keys"))) {
            ledger.open();
            StatusStore book = new StatusStore(ledger, Duration.ofDays(1), 1_000);
            byte[] status = book.find(location.replaceFirst(".*/", ""));
            assertThat(new String(status, StandardCharsets.UTF_8)).contains("\"ending\":\"answered\"", "\"paid\"");
        }
    }
}
