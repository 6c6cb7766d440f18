package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BreakerSettings;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.config.FlowConfig.QueueConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.http.HttpFrom;
import dev.penstock.gateway.http.HttpTo;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowFileTest {
    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder, Map.of("GATEWAY_URL", "https://gateway.example/v1?k=s3cr3t"));
    }

    @Test
    void stateIsAFileThatCanBeCreated() {
        assertThat(written.errors(Written.FLOW + "state: /dev/full\n"))
                .containsExactly(
                        "f.yaml:5:8: 'state' is \"/dev/full\", which is not a regular file; write a path where a file can"
                                + " be created, for instance ./penstock-state");
        assertThat(written.errors(Written.FLOW + "state: .\n"))
                .singleElement()
                .asString()
                .contains("not a regular file");
        assertThat(written.errors(Written.FLOW + "state: f.yaml/a/state\n"))
                .containsExactly(
                        "f.yaml:5:8: 'state' is \"f.yaml/a/state\", but f.yaml is not a folder; write for instance"
                                + " ./penstock-state");
    }

    @Test
    void threeLinesAreCompleteAndTheRestIsDefault() throws Exception {
        FlowFile file = written.read(Written.FLOW);
        FlowConfig flow = file.config().flows().getFirst();
        assertThat(file.warnings()).isEmpty();
        assertThat(flow.name()).isEqualTo("payments");
        assertThat(((HttpFrom) flow.from()).port()).isEqualTo(Configured.fromFile(8080, new FileLocation(3, 27)));
        assertThat(((HttpFrom) flow.from()).host()).isEqualTo(Configured.byDefault("127.0.0.1"));
        assertThat(((HttpFrom) flow.from()).maxBody()).isEqualTo(Configured.byDefault(1_048_576L));
        assertThat(((HttpTo) flow.to()).url().value()).isEqualTo(URI.create("https://gateway.example/v1"));
        assertThat(flow.to().pool()).isEqualTo(PoolConfig.AUTOMATIC);
        assertThat(flow.deadline()).isEqualTo(Configured.byDefault(Duration.ofSeconds(30)));
        assertThat(flow.retry()).isNull();
        assertThat(flow.limit()).isEqualTo(new LimitConfig.Automatic());
        assertThat(flow.queue()).isEqualTo(new QueueConfig(null, null, null));
        assertThat(flow.breaker()).contains(BreakerSettings.DEFAULTS);
        assertThat(((HttpTo) flow.to()).version()).isNull();
        assertThat(((HttpTo) flow.to()).proxy()).isNull();
        assertThat(((HttpTo) flow.to()).tls()).isNull();
        assertThat(file.config().admin()).isNull();
        assertThat(file.config().poolTotal()).isNull();
        assertThat(file.config().drain()).isEqualTo(Configured.byDefault(Duration.ofSeconds(30)));
        assertThat(file.config().state()).isEqualTo(Configured.byDefault(folder.resolve("penstock-state")));
    }

    @Test
    void readsEveryKey() throws Exception {
        Files.writeString(folder.resolve("token"), "Bearer s3cr3t\n");
        GatewayConfig config = written.read("""
                        admin: { port: 9090, host: 127.0.0.2 }
                        flows:
                          payments:
                            from: { http: { port: 8080, host: "::1", path: /v1/payments, max_body: 64KB, idle_time: 20s, max_connections: 500 } }
                            to:
                              http:
                                url: "${GATEWAY_URL}"
                                headers: { Authorization: "${file:token}", X-Version: 2 }
                            deadline: 5s
                            retry: { attempts: 4, key: Idempotency-Key }
                            limit: { min: 10, max: 400 }
                            queue: { time: 250ms, length: 50, priority: Priority }
                            breaker: { failure_percent: 40 }
                            pool: { max: 64, idle: 45s, connect_timeout: 500ms, response_timeout: 1s, wait: 2s, max_age: 5m, max_answer: 2MB }
                          refunds:
                            from: { http: { port: 0, path: / } }
                            to: { http: { url: http://127.0.0.1:9000 } }
                            limit: 7
                            breaker: off
                        pool: { max: 2000 }
                        shutdown: { drain: 10s }
                        state: ./learned
                        """).config();
        FlowConfig flow = config.flows().getFirst();
        assertThat(values(flow)).isEqualTo("8080 ::1 /v1/payments 65536 PT20S 500 PT5S");
        assertThat(flow.to().toString()).isEqualTo("https://gateway.example/v1");
        assertThat(((HttpTo) flow.to()).url().value()).hasToString("https://gateway.example/v1?k=s3cr3t");
        assertThat(((HttpTo) flow.to()).headers())
                .containsExactly(
                        Map.entry("Authorization", new Secret("Bearer s3cr3t")),
                        Map.entry("X-Version", new Secret("2")));
        assertThat(flow.retry())
                .isEqualTo(new RetryConfig(
                        new FileLocation(10, 12),
                        Configured.fromFile(4, new FileLocation(10, 24)),
                        Configured.fromFile("Idempotency-Key", new FileLocation(10, 32)),
                        Set.of()));
        assertThat(flow.limit())
                .isEqualTo(new LimitConfig.Bounds(
                        Configured.fromFile(10, new FileLocation(11, 19)),
                        Configured.fromFile(400, new FileLocation(11, 28))));
        assertThat(flow.queue())
                .isEqualTo(new QueueConfig(
                        Configured.fromFile(Duration.ofMillis(250), new FileLocation(12, 20)),
                        Configured.fromFile(50, new FileLocation(12, 35)),
                        Configured.fromFile("Priority", new FileLocation(12, 49))));
        assertThat(flow.breaker()).contains(new BreakerSettings(10, 0.4, 20, Duration.ofSeconds(1), 3));
        assertThat(flow.to().pool())
                .isEqualTo(new PoolConfig(
                        Configured.fromFile(64, new FileLocation(14, 18)),
                        Configured.fromFile(Duration.ofSeconds(2), new FileLocation(14, 85)),
                        Configured.fromFile(Duration.ofSeconds(45), new FileLocation(14, 28)),
                        Configured.fromFile(Duration.ofMinutes(5), new FileLocation(14, 98)),
                        Configured.fromFile(Duration.ofMillis(500), new FileLocation(14, 50)),
                        Configured.fromFile(Duration.ofSeconds(1), new FileLocation(14, 75)),
                        Configured.fromFile(2 << 20, new FileLocation(14, 114))));
        FlowConfig refunds = config.flows().get(1);
        assertThat(refunds.limit()).isEqualTo(new LimitConfig.Fixed(Configured.fromFile(7, new FileLocation(18, 12))));
        assertThat(refunds.breaker()).isEmpty();
        assertThat(config.admin())
                .isEqualTo(new AdminConfig(
                        Configured.fromFile("127.0.0.2", new FileLocation(1, 28)),
                        List.of(),
                        Configured.fromFile(9090, new FileLocation(1, 16)),
                        null,
                        false,
                        null,
                        null,
                        null));
        assertThat(config.poolTotal()).isEqualTo(Configured.fromFile(2000, new FileLocation(20, 14)));
        assertThat(config.drain().value()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.state().value()).isEqualTo(folder.resolve("learned"));
    }

    private static String values(FlowConfig flow) {
        HttpFrom from = (HttpFrom) flow.from();
        return String.join(
                " ",
                from.port().value().toString(),
                from.host().value(),
                from.path().value(),
                from.maxBody().value().toString(),
                from.idleTime().value().toString(),
                from.maxConnections() == null
                        ? "auto"
                        : from.maxConnections().value().toString(),
                flow.deadline().value().toString());
    }

    @Test
    void autoIsTheDefault() throws Exception {
        FlowConfig flow = written.read(
                        Written.FLOW
                                + "    limit: auto\n    queue: { time: auto, length: auto }\n    breaker: auto\n    pool: { max: auto, idle: auto, connect_timeout: auto, response_timeout: auto }\n")
                .config()
                .flows()
                .getFirst();
        assertThat(flow.limit()).isEqualTo(new LimitConfig.Automatic());
        assertThat(flow.queue()).isEqualTo(QueueConfig.AUTOMATIC);
        assertThat(flow.breaker()).contains(BreakerSettings.DEFAULTS);
        assertThat(flow.to().pool()).isEqualTo(PoolConfig.AUTOMATIC);
    }

    @Test
    void flowsShareSettingsThroughAnchors() throws Exception {
        GatewayConfig config = written.read("""
                        flows:
                          a: &a
                            from: { http: { port: 8080, path: /a } }
                            to: &to { http: { url: "http://127.0.0.1:9000/" } }
                            deadline: 2s
                          b:
                            <<: *a
                            from: { http: { port: 8080, path: /b } }
                        """).config();
        FlowConfig b = config.flows().get(1);
        assertThat(((HttpFrom) b.from()).path().value()).isEqualTo("/b");
        assertThat(b.deadline().value()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void nothingPrintsASecret() throws Exception {
        GatewayConfig config = written.read(Written.FLOW.replace(
                        "\"https://gateway.example/v1\"", "\"${GATEWAY_URL}\", headers: { Authorization: s3cr3t }"))
                .config();
        assertThat(config.toString()).doesNotContain("s3cr3t");
    }
}
