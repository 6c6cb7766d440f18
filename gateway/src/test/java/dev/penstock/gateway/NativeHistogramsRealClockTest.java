package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.NeedsProgram;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real Prometheus reads the native histograms of a running gateway. */
@Timeout(120)
@NeedsProgram("prometheus")
class NativeHistogramsRealClockTest {
    private static final int REQUESTS = 50;

    @TempDir
    Path folder;

    private int prometheus;

    @Test
    void prometheusReadsThemWithTheirQuantiles() throws Exception {
        int admin = StablePort.free();
        prometheus = StablePort.free();
        try (SlowTarget target = new SlowTarget();
                Gateway gateway = Running.gateway(folder, """
                admin: { port: %d }
                flows:
                  payments:
                    from: { http: { port: 0, path: /v1/payments } }
                    to: { http: { url: "%s" } }
                """.formatted(admin, target.url()))) {
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(Running.post(Running.url(gateway)).statusCode()).isEqualTo(200);
            }
            Process process = prometheus(admin);
            try {
                Running.until(() -> value("histogram_count(%s)") == REQUESTS);
                assertThat(value("histogram_quantile(0.5, %s)")).isBetween(1e-5, 30.0);
                assertThat(value("histogram_sum(%s)")).isBetween(REQUESTS * 1e-5, REQUESTS * 30.0);
            } finally {
                Programs.kill(process);
            }
        }
    }

    private Process prometheus(int admin) throws IOException {
        Path config = Files.writeString(folder.resolve("prometheus.yml"), """
                scrape_configs:
                  - job_name: penstock
                    scrape_interval: 200ms
                    scrape_timeout: 200ms
                    static_configs: [{ targets: ["127.0.0.1:%d"] }]
                """.formatted(admin));
        return Programs.serving(
                List.of(
                        Programs.path("prometheus"),
                        "--config.file=" + config,
                        "--enable-feature=native-histograms",
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=127.0.0.1:" + prometheus),
                folder.resolve("prometheus.log"),
                () -> Programs.isListening(prometheus));
    }

    /** The result of a query over the times of the flow; NaN while there is none, or Prometheus starts. */
    private double value(String query) {
        String text = query.formatted("penstock_stage_seconds{flow=\"payments\",stage=\"flow\"}");
        try {
            HttpResponse<String> answer = Running.get("http://127.0.0.1:" + prometheus + "/api/v1/query?query="
                    + URLEncoder.encode(text, StandardCharsets.UTF_8));
            if (answer.statusCode() != 200) {
                return Double.NaN;
            }
            JsonNode value = JsonMapper.shared().readTree(answer.body()).at("/data/result/0/value/1");
            return value.isMissingNode() ? Double.NaN : Double.parseDouble(value.asString());
        } catch (IOException e) {
            return Double.NaN;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
