package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Nginx;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A real nginx that takes 300 calls a second ({@code limit_req}) in front of a service that answers in 500 ms: the flow finds the
 * rate, gets nearly all of it, and is seldom refused. A busy machine spreads calls unevenly, so it runs on demand
 * ({@code -Dtest.groups=report}). Without a burst the clock of nginx, which counts whole milliseconds, takes one call in 4 ms: 250 a second.
 */
@Tag("report")
@NeedsProgram("nginx")
@Timeout(180)
class RateLimitNginxRealClockTest {
    private static final int RATE = 300;
    private static final int OFFERED = 500;
    private static final int LEARNING_SECONDS = 10;
    private static final int SECONDS = 30;

    @TempDir
    Path folder;

    private final LongAdder useful = new LongAdder();
    private final LongAdder refused = new LongAdder();

    @ParameterizedTest
    @CsvSource({"'', 250, 0.75", "burst=30 nodelay, 300, 0.95"})
    void findsTheRate(String burst, int taken, double least) throws Exception {
        int port = StablePort.free();
        try (HttpSimulator service = HttpSimulator.builder()
                        .delay(new Delay.Constant(Duration.ofMillis(500)))
                        .maxConnections(2_000)
                        .start();
                Nginx nginx = Nginx.start(
                        folder, port, """
                        limit_req_zone $server_port zone=all:1m rate=%dr/s;
                        upstream service { server %s; keepalive 300; }
                        server {
                          listen 127.0.0.1:%d;
                          location / {
                            limit_req zone=all %s;
                            proxy_pass http://service;
                            proxy_http_version 1.1;
                            proxy_set_header Connection "";
                          }
                        }
                        """.formatted(RATE, service.url().substring("http://".length()), port, burst));
                HttpTarget target = HttpTarget.of("http://127.0.0.1:" + port)) {
            Flow<HttpCall, HttpAnswer> flow =
                    Flow.named("limited").adaptiveConcurrency().to(target);
            offer(flow, LEARNING_SECONDS);
            useful.reset();
            refused.reset();
            offer(flow, SECONDS);
            double share = useful.sum() / (double) (taken * SECONDS);
            double refusals = refused.sum() / (double) (useful.sum() + refused.sum());
            System.out.printf(
                    "limit_req rate=%dr/s %s: useful %.3f of %d/s, refused %.3f of what was sent, rate %s%n",
                    RATE,
                    burst,
                    share,
                    taken,
                    refusals,
                    flow.settings().stream()
                            .filter(setting -> setting.name().equals("rate"))
                            .map(setting -> setting.value() + " (" + setting.reason() + ")")
                            .toList());
            assertThat(share).isGreaterThan(least);
            assertThat(refusals).isLessThan(0.05);
        }
    }

    private void offer(Flow<HttpCall, HttpAnswer> flow, int seconds) throws InterruptedException {
        long begin = System.nanoTime();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long call = 0; call < (long) OFFERED * seconds; call++) {
                long due = begin + call * 1_000_000_000L / OFFERED;
                while (System.nanoTime() - due < 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                callers.execute(() -> call(flow));
            }
        }
    }

    private void call(Flow<HttpCall, HttpAnswer> flow) {
        try {
            boolean good = flow.call(HttpCall.get("/")).status() == 200;
            (good ? useful : refused).increment();
        } catch (Unanswered notSent) {
            // Rejected, for want of room.
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }
}
