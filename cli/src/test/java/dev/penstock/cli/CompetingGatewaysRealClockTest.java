package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two processes that serve the same file consume one queue. */
@Timeout(120)
class CompetingGatewaysRealClockTest {
    private static final int MESSAGES = 200;

    /** The prefetch of a client in bytes. The messages together are much larger, so both gateways get some. */
    private static final String LONG = " ".repeat(4_000);

    @TempDir
    Path folder;

    private final Set<String> processes = ConcurrentHashMap.newKeySet();
    private final Queue<String> carried = new ConcurrentLinkedQueue<>();
    private final CountDownLatch both = new CountDownLatch(2);
    private HttpServer target;

    @BeforeEach
    void open() throws IOException {
        target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        target.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        target.createContext("/", this::answer);
        target.start();
    }

    @AfterEach
    void close() {
        target.stop(0);
    }

    /** Answers no request until both gateways have sent one, so that neither finishes before the other has begun. */
    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            carried.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).strip());
            if (processes.add(exchange.getRequestHeaders().getFirst("Process"))) {
                both.countDown();
            }
            both.await();
            exchange.sendResponseHeaders(204, -1);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private Path file(EmbeddedBroker broker) throws IOException {
        return Files.writeString(folder.resolve("flows.yaml"), """
                flows:
                  carry:
                    from: { jms: { url: "%s", queue: payments, key: JMSMessageID, in_flight: 5 } }
                    to: { http: { url: "http://127.0.0.1:%d/", headers: { Process: "${PROCESS}" } } }
                    deadline: 5m
                """.formatted(
                        broker.url(), target.getAddress().getPort()));
    }

    private Process serve(Path file, String name) throws IOException {
        return Serving.start(folder.resolve(name), Map.of("PROCESS", name), file.toString());
    }

    /** Waits until it serves; a JVM starts slowly on a busy machine. */
    private static void awaitServing(Process process) throws IOException {
        String line = "";
        while (!line.startsWith("serving;")) {
            line = Objects.requireNonNull(process.inputReader().readLine(), "it ended");
        }
    }

    private static void fill(EmbeddedBroker broker) throws Exception {
        JmsTarget queue =
                JmsTarget.at(JmsBroker.at(broker.localUrl())).queue("payments").build();
        try (JmsBatch batch = JmsBatch.over(queue)) {
            batch.call(IntStream.range(0, MESSAGES)
                    .mapToObj(number -> JmsMessage.text(number + LONG))
                    .toList());
        }
    }

    @Test
    void eachMessageIsProcessedOnceAndBothGatewaysTakePart() throws Exception {
        EmbeddedBroker broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0);
        Path file = file(broker);
        Process first = serve(file, "first");
        Process second = serve(file, "second");
        try {
            awaitServing(first);
            awaitServing(second);
            fill(broker);
            until(() -> carried.size() >= MESSAGES && broker.count("payments") == 0);
            assertThat(carried).hasSize(MESSAGES).doesNotHaveDuplicates();
            assertThat(processes).containsExactlyInAnyOrder("first", "second");
            broker.close();
            until(() -> isReconnecting("first") && isReconnecting("second"));
            // Ends them like a machine that shuts down.
            first.toHandle().destroy();
            second.toHandle().destroy();
            long answered = answered(first) + answered(second);
            assertThat(answered).isEqualTo(MESSAGES);
            assertThat((err("first") + err("second")).lines())
                    // On a busy machine a source may also lose the broker before it ends, and find it again.
                    .allMatch(line -> line.contains(" JmsSource: "));
        } finally {
            first.destroyForcibly();
            second.destroyForcibly();
            broker.close();
        }
    }

    private boolean isReconnecting(String name) {
        return err(name).matches("(?s).*no messages from payments at tcp://127.0.0.1:[^\\n]*reconnecting[^\\n]*\\n");
    }

    /** The number of messages that a process reports at its end. */
    private static long answered(Process process) throws Exception {
        String last = process.inputReader().lines().toList().getLast();
        assertThat(process.waitFor()).isZero();
        assertThat(last).startsWith("carry: offered ").endsWith("; accounting balanced");
        return Long.parseLong(last.replaceAll(".* answered (\\d+) .*", "$1"));
    }

    private String err(String name) {
        try {
            return Files.readString(folder.resolve(name));
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private void until(BooleanSupplier holds) {
        long end = System.nanoTime() + 60_000_000_000L;
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError(
                        carried.size() + " carried by " + processes + "; " + err("first") + err("second"));
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
