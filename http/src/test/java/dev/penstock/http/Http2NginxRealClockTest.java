package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.tls.TestAuthority;
import dev.penstock.http.tls.Tls;
import dev.penstock.kit.FullRun;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Nginx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real nginx that ends each connection of HTTP/2 after 100 requests: each call is answered, and each is sent once. */
@Timeout(300)
@NeedsProgram("nginx")
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
        try (Nginx nginx = nginx(port);
                HttpTarget target = target(port)) {
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
            assertThat(nginx.logged("taken.log", CALLS)).hasSize(CALLS).doesNotHaveDuplicates();
        }
    }

    private HttpTarget target(int port) {
        Duration patience = Duration.ofSeconds(PATIENCE_SECONDS);
        return HttpTarget.at("https://localhost:" + port + "/")
                .tls(Tls.platform().trusting(folder.resolve("ca.pem")))
                .version(HttpVersion.HTTP_2)
                .poolWait(patience)
                .connectTimeout(patience)
                .responseTimeout(patience)
                .build();
    }

    private Nginx nginx(int port) throws Exception {
        TestAuthority authority = TestAuthority.first();
        Files.writeString(folder.resolve("ca.pem"), authority.caPem());
        Files.writeString(folder.resolve("server.pem"), authority.certificatePem("server"));
        Files.writeString(folder.resolve("server.key"), authority.keyPem("server"));
        return Nginx.start(folder, port, """
                log_format request '$request_uri';
                keepalive_requests 100;
                server {
                  access_log %1$s/taken.log request;
                  listen 127.0.0.1:%2$d ssl http2;
                  ssl_certificate %1$s/server.pem;
                  ssl_certificate_key %1$s/server.key;
                  location / { return 200 ok; }
                }
                """.formatted(folder, port));
    }
}
