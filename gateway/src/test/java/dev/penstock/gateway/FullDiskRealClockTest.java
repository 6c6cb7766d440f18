package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The disk of a durable gateway becomes full again and again: a small one in memory, which only root can mount. */
@Tag("full")
@Tag("full-only")
@Timeout(600)
class FullDiskRealClockTest {
    private static final int ROUNDS = FullRun.sized(3, 20);
    private static final int SENDERS = 4;

    @TempDir
    Path folder;

    private final Map<String, Integer> received = new ConcurrentHashMap<>();
    private final Set<String> accepted = ConcurrentHashMap.newKeySet();
    private final Queue<String> cut = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sent = new AtomicInteger();
    private final Random random = new Random(7);
    private Path disk;
    private HttpServer target;

    @BeforeEach
    void mount() throws Exception {
        String mount = Programs.path("mount");
        disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(run(mount, "-t", "tmpfs", "-o", "size=128m", "tmpfs", disk + "") == 0, "only root can mount a disk");
        target = Running.target(this::receive);
    }

    @AfterEach
    void unmount() throws Exception {
        if (target != null) {
            target.stop(0);
            assertThat(run(Programs.path("umount"), "-l", disk + "")).isZero();
        }
    }

    private static int run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String key = body.substring(0, Math.max(0, body.indexOf(' ')));
            if (!body.equals(body(key))) {
                cut.add(key + " with " + body.length());
            }
            received.merge(key, 1, Integer::sum);
            exchange.sendResponseHeaders(204, -1);
        }
    }

    /** Large messages among small ones. */
    private static String body(String key) {
        return key + " " + "z".repeat(key.endsWith("0") || key.endsWith("5") ? 150_000 : 300);
    }

    private int post(String url) {
        String key = "k" + sent.incrementAndGet();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(body(key)))
                .build();
        try {
            HttpResponse<String> answer = Running.CLIENT.send(request, BodyHandlers.ofString());
            if (answer.statusCode() == 202) {
                accepted.add(key);
            }
            return answer.statusCode();
        } catch (IOException | InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** Leaves at most this many bytes free. */
    private void fill(long left) {
        ByteBuffer zeros = ByteBuffer.allocate(1 << 16);
        try (FileChannel filler =
                FileChannel.open(disk.resolve("filler"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (long free = free() - left; free > 0; free = free() - left) {
                int _ = filler.write(zeros.clear().limit((int) Math.min(zeros.capacity(), free)));
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    private long free() {
        return disk.toFile().getUsableSpace();
    }

    @Test
    void nothingAcceptedIsLostAndEachRoundEndsWithoutARestart() throws Exception {
        try (Gateway gateway = Running.gateway(folder, """
                admin: { port: 0 }
                state: "%s"
                flows:
                  accept:
                    from: { http: { port: 0, path: /p } }
                    to: { jms: { url: embedded, queue: payments } }
                  process:
                    from: { jms: { url: embedded, queue: payments, key: JMSMessageID } }
                    to: { http: { url: "http://127.0.0.1:%d/t" } }
                """.formatted(
                        disk.resolve("penstock-state"), target.getAddress().getPort()))) {
            String ready = String.valueOf(gateway.adminAddress()) + "ready";
            for (int round = 0; round < ROUNDS; round++) {
                fill((40L << 20) + random.nextInt(8 << 20));
                assertThat(whileSending(Running.url(gateway), () -> fill(random.nextInt(600_000))))
                        .contains(503);
                HttpResponse<String> down = Running.get(ready);
                assertThat(down.statusCode()).isEqualTo(503);
                assertThat(down.body()).contains("the disk of " + disk).contains(" MB free");
                Files.delete(disk.resolve("filler"));
                Running.until(() -> post(Running.url(gateway)) == 202);
                Running.until(() -> status(ready) == 200);
            }
            Running.until(() -> received.keySet().containsAll(accepted));
        }
        assertThat(cut).isEmpty();
        assertThat(received)
                .allSatisfy((key, times) -> assertThat(times).as(key).isOne());
    }

    private static int status(String url) {
        try {
            return Running.get(url).statusCode();
        } catch (IOException | InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    /** The answers to requests before, while and after something happens. */
    private Set<Integer> whileSending(String url, Runnable event) throws Exception {
        Set<Integer> answers = ConcurrentHashMap.newKeySet();
        AtomicBoolean over = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<java.util.concurrent.Future<?>> senders = new ArrayList<>();
            for (int sender = 0; sender < SENDERS; sender++) {
                senders.add(threads.submit(() -> {
                    for (int n = 0; n < 20 || !over.get(); n++) {
                        answers.add(post(url));
                    }
                }));
            }
            Running.until(() -> answers.contains(202));
            event.run();
            Running.until(() -> answers.contains(503));
            over.set(true);
            for (var sender : senders) {
                sender.get();
            }
        }
        return answers;
    }
}
