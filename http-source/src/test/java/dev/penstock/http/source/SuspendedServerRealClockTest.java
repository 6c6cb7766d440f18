package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.RawPeer;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that was suspended for longer than its connections may be idle answers the requests that came meanwhile. */
@Timeout(120)
class SuspendedServerRealClockTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final Duration IDLE = Duration.ofSeconds(8); // a slow machine must connect all clients within
    private static final int CLIENTS = 30;

    private static Process server(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ServingProgram.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void pass(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - until < 0) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }

    @Test
    void requestsThatWaitInTheSocketAreAnswered() throws Exception {
        Process server = server(IDLE.toString());
        List<RawClient> clients = new ArrayList<>();
        try (BufferedReader out = server.inputReader()) {
            int port = Integer.parseInt(out.readLine());
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new RawClient(port));
                assertThat(clients.getLast().send(GET).answer()).endsWith("hello");
            }
            try (SuspendedProcess _ = SuspendedProcess.suspend(server)) {
                for (RawClient client : clients) {
                    client.send(GET);
                }
                pass(IDLE.plusSeconds(1));
            }
            for (RawClient client : clients) {
                assertThat(client.answer()).isNotNull().endsWith("hello");
            }
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
            server.destroyForcibly();
        }
    }

    /** The deadline of 2 s passes meanwhile, but an answer is better than an unknown ending. */
    @Test
    void answersThatWaitInTheSocketAreTaken() throws Exception {
        CountDownLatch suspended = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (RawPeer target = RawPeer.start(talk -> {
            talk.request();
            asked.countDown();
            suspended.await();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        })) {
            Process server = server(IDLE.toString(), target.url("/"));
            try (BufferedReader out = server.inputReader();
                    RawClient client = new RawClient(Integer.parseInt(out.readLine()))) {
                client.send(GET);
                asked.await();
                try (SuspendedProcess _ = SuspendedProcess.suspend(server)) {
                    suspended.countDown();
                    pass(Duration.ofSeconds(4));
                }
                assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("ok");
            } finally {
                server.destroyForcibly();
            }
        }
    }
}
