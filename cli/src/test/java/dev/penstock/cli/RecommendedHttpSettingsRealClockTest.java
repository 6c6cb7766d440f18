package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.header.Headers;
import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Nginx;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What is recommended for HTTP servers. */
@NeedsProgram("nginx")
class RecommendedHttpSettingsRealClockTest extends RecommendedSettingsContract {
    /** The users who pause. */
    private static final int PAUSING = 30;

    @Test
    void nginxThatRefusesMoreThanEight() throws Exception {
        int front = StablePort.free();
        try (HttpSimulator server = answeringAfter50Millis();
                Nginx nginx = nginxOfEight(front, server.port(), "")) {
            assertThat(nginx).isNotNull();
            assertThat(worksAsRecommended(url(front))).isEqualTo(8);
        }
    }

    /**
     * A connection beyond a short backlog is delayed by a second, which is longer than a probe waits for the answer on an
     * idle connection: so many idle ones at a time that the backlog is full look as if they had been dropped, and a call
     * that is given up must not take the place of one that is measured. The delays make throughput random, so fewer than
     * eight users may be best.
     */
    @RepeatedTest(2)
    void nginxOfEightBehindShortBacklogs() throws Exception {
        int inner = StablePort.free();
        int front = StablePort.free();
        try (HttpSimulator server = answeringAfter50Millis();
                Nginx behind = Nginx.start(
                        Files.createDirectories(folder.resolve("inner")), inner, """
                        server {
                          listen 127.0.0.1:%d backlog=2;
                          location / { proxy_pass http://127.0.0.1:%d; }
                        }
                        """.formatted(inner, server.port()));
                Nginx nginx = nginxOfEight(front, inner, " backlog=4")) {
            assertThat(behind).isNotNull();
            assertThat(nginx).isNotNull();
            ProbeNote note = probed(url(front));
            assertThat(Objects.requireNonNull(note.knee()).points())
                    .filteredOn(point -> point.atOnce() <= 8)
                    .allSatisfy(point -> assertThat(point.errorShare()).isZero());
            assertThat(note.settings()).extracting(ProbeNote.Setting::name).doesNotContain("pool.idle");
            int users = users(note);
            assertThat(users).isLessThanOrEqualTo(8);
            assertThat(loaded(users, url(front))).extractingByKey("errors").isEqualTo(NONE);
        }
    }

    private static HttpSimulator answeringAfter50Millis() throws IOException {
        return HttpSimulator.builder()
                .delay(new Delay.Constant(Duration.ofMillis(50)))
                .start();
    }

    private Nginx nginxOfEight(int port, int proxied, String listening) throws IOException {
        return Nginx.start(folder, port, """
                limit_conn_zone $binary_remote_addr zone=all:1m;
                server {
                  listen 127.0.0.1:%d%s;
                  limit_conn all 8;
                  location / { proxy_pass http://127.0.0.1:%d; }
                }
                """.formatted(port, listening, proxied));
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port + "/";
    }

    @Test
    void nginxThatClosesConnectionsIdleForFourSeconds() throws Exception {
        int port = StablePort.free();
        try (HttpSimulator server = HttpSimulator.builder().start();
                Nginx nginx = Nginx.start(folder, port, """
                        keepalive_timeout 4s;
                        keepalive_requests 1000000;
                        server {
                          listen 127.0.0.1:%d;
                          location / { proxy_pass http://127.0.0.1:%d; }
                        }
                        """.formatted(port, server.port()))) {
            assertThat(nginx).isNotNull();
            String url = url(port);
            Duration idle = Durations.parse(setting(probed(url), "pool.idle"));
            assertThat(idle).isBetween(Duration.ofSeconds(1), Duration.ofMillis(3_900));

            // A POST is not sent again, so one on a connection that nginx closes would fail.
            HttpCall call = HttpCall.of("POST", "/", Headers.none(), "x".getBytes(UTF_8));
            try (HttpTarget target =
                    HttpTarget.at(url).poolMax(PAUSING).idle(idle).build()) {
                Counts counts = ClosedLoad.of(PAUSING, Duration.ZERO)
                        .beginningWithin(Duration.ofSeconds(1), 1)
                        .thinking(Duration.ofMillis(3_900), Duration.ofMillis(4_100), 1)
                        .lasting(Duration.ofSeconds(14))
                        .run(target, number -> call, answer -> answer.status() == 200)
                        .counts();
                System.out.println("with pauses of 4 s and pool.idle " + idle.toMillis() + " ms: " + counts);
                assertThat(counts.errors()).isZero();
                assertThat(counts.right()).isGreaterThanOrEqualTo(3 * PAUSING);
            }
        }
    }

    @Test
    void aServerOfTenWorkers() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                .delay(new Delay.Constant(Duration.ofMillis(50)))
                .workers(10, 1_000)
                .start()) {
            assertThat(worksAsRecommended(url(server.port()))).isBetween(9, 13);
        }
    }
}
