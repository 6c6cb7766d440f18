package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that runs out of memory exits with a reason, so that a supervisor can restart it. */
@Timeout(180)
class OutOfMemoryRealClockTest {
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    Path folder;

    private final List<Socket> clients = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
    }

    @Test
    void processFilledByUploadsExitsWithItsOwnCode() throws Exception {
        int port = StablePort.free();
        Path flows = Files.writeString(folder.resolve("flows.yaml"), """
                state: %s
                memory: 1GB # far more than the heap: nothing is refused
                flows:
                  upload:
                    from: { http: { port: %d, path: /, max_body: 1MB } }
                    to: { http: { url: "http://127.0.0.1:9/" } }
                """.formatted(folder.resolve("state"), port));
        Path out = folder.resolve("out");
        Process gateway = new ProcessBuilder(Serving.java(
                        Serving.Main.class, List.of("-Xmx32m", "-XX:TieredStopAtLevel=1"), flows.toString()))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            stallUploads(gateway, port);
            assertThat(gateway.waitFor(120, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(gateway.exitValue()).isEqualTo(3);
            assertThat(Files.readString(out)).contains("Terminating due to java.lang.OutOfMemoryError");
        } finally {
            gateway.destroyForcibly();
        }
    }

    /** Sends uploads without their last byte until the gateway ends. */
    private void stallUploads(Process gateway, int port) {
        byte[] body = new byte[MEGABYTE - 1];
        byte[] head = ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + MEGABYTE + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        while (gateway.isAlive() && clients.size() < 200) {
            try {
                Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
                clients.add(client);
                OutputStream to = client.getOutputStream();
                to.write(head);
                to.write(body);
            } catch (IOException notYetOrOver) {
                Thread.onSpinWait();
            }
        }
    }
}
