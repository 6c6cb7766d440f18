package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.SuspendedProcess;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that was suspended for longer than its connections may be idle answers the requests that came meanwhile. */
@Timeout(120)
class SuspendedServerRealClockTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final Duration IDLE = Duration.ofSeconds(3);
    private static final int CLIENTS = 90;

    @Test
    void requestsThatWaitInTheSocketAreAnswered() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServingProgram.class.getName(),
                        IDLE.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
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
                long until = System.nanoTime() + IDLE.plusSeconds(1).toNanos();
                while (System.nanoTime() - until < 0) {
                    LockSupport.parkNanos(until - System.nanoTime());
                }
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
}
