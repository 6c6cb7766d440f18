package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.StablePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real nginx that ends each connection of HTTP/2 after 100 requests: each call is answered, and each is sent once. */
@Timeout(300)
class Http2NginxRealClockTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final int CALLERS = 300;
    private static final int CALLS = FullRun.sized(2_000, 20_000);

    @TempDir
    Path folder;

    @Test
    @Tag("full")
    void everyCallIsAnsweredOnceThoughConnectionsEnd() throws Exception {
        int port = StablePort.free();
        Process nginx = nginx(port);
        try (HttpTarget target = HttpTarget.at("https://localhost:" + port + "/")
                .tls(Tls.platform().trusting(folder.resolve("ca.pem")))
                .version(HttpVersion.HTTP_2)
                .poolWait(Duration.ofSeconds(PATIENCE_SECONDS))
                .connectTimeout(Duration.ofSeconds(PATIENCE_SECONDS))
                .responseTimeout(Duration.ofSeconds(PATIENCE_SECONDS))
                .build()) {
            AtomicInteger next = new AtomicInteger();
            ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < CALLERS; i++) {
                    callers.execute(() -> {
                        for (int id = next.getAndIncrement(); id < CALLS; id = next.getAndIncrement()) {
                            try {
                                target.call(HttpCall.post("/pay/" + id, "x"));
                            } catch (Exception e) {
                                wrong.add(id + " " + e);
                            }
                        }
                    });
                }
            }
            assertThat(wrong).isEmpty();
        } finally {
            nginx.destroy();
            nginx.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        List<String> taken = Files.readAllLines(folder.resolve("taken.log"));
        assertThat(taken).hasSize(CALLS).doesNotHaveDuplicates();
    }

    private Process nginx(int port) throws Exception {
        Optional<Path> program = Stream.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin")
                .map(place -> Path.of(place, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(program.isPresent(), "nginx, on Debian: apt-get install nginx");
        TestAuthority authority = TestAuthority.first();
        Files.writeString(folder.resolve("ca.pem"), authority.caPem());
        Files.writeString(folder.resolve("server.pem"), authority.certificatePem("server"));
        Files.writeString(folder.resolve("server.key"), authority.keyPem("server"));
        Path conf = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                events { worker_connections 512; }
                http {
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  log_format request '$request_uri';
                  access_log %1$s/taken.log request;
                  keepalive_requests 100;
                  server {
                    listen 127.0.0.1:%2$d ssl http2;
                    ssl_certificate %1$s/server.pem;
                    ssl_certificate_key %1$s/server.key;
                    location / { return 200 ok; }
                  }
                }
                """.formatted(folder, port));
        Path log = folder.resolve("nginx.txt");
        Process nginx = new ProcessBuilder(
                        program.orElseThrow().toString(),
                        "-p",
                        folder.toString(),
                        "-e",
                        log.toString(),
                        "-c",
                        conf.toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isListening(port)) {
            assertThat(nginx.isAlive() && System.nanoTime() < until)
                    .as(Files.readString(log))
                    .isTrue();
            LockSupport.parkNanos(5_000_000);
        }
        return nginx;
    }

    private static boolean isListening(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
