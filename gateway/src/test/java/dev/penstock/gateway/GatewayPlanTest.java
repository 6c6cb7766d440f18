package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.FlowFile;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GatewayPlanTest {
    private static final Class<?> HERE = GatewayPlanTest.class;

    @Test
    void showsEveryFlowInOrderWithEverySettingAndItsSource() throws Exception {
        Path file =
                Path.of(Objects.requireNonNull(HERE.getResource("plan.yaml")).toURI());
        String text = GatewayPlan.of(FlowFile.read(file).config()).text();
        assertThat(onAnyHeap(text)).isEqualTo(onAnyHeap(golden()));
    }

    /** The maximum number of connections depends on the heap. */
    private static String onAnyHeap(String text) {
        return text.replaceAll("source[.]max_connections +\\d+ +", "source.max_connections N ");
    }

    @Test
    void showsNoSecret() throws Exception {
        assertThat(golden()).doesNotContain("s3cr3t");
    }

    @Test
    void showsTheSettingsOfThePoolsAndTheirTotal(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), """
                        flows:
                          a:
                            from: { http: { port: 8080, path: /a } }
                            to:
                              http:
                                url: "https://h/"
                                version: 1.1
                                proxy: { url: "proxy.example:3128", user: u, password: s3cr3t }
                            pool: { wait: 2s, max_age: 5m, max_answer: 2MB }
                        pool: { max: 2000 }
                        """);
        String text = GatewayPlan.of(FlowFile.read(file).config()).text();
        assertThat(text)
                .containsPattern("\n  pool.wait +2 s +1ms..1h +file ")
                .containsPattern("\n  pool.max_age +5 min ")
                .containsPattern("\n  pool.max_answer +2097152 bytes ")
                .containsPattern("\n  pool.max +2000 +1..1000000 +file ")
                .contains("proxy.example:3128")
                .doesNotContain("s3cr3t");
    }

    @Test
    void chainNamesStagesForAnySettings(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), """
                        flows:
                          a:
                            from: { http: { port: 8080, path: /a } }
                            to: { http: { url: "https://h/" } }
                            dedupe: { key: Idempotency-Key }
                        state: "./learned (1) > old"
                        """);
        String text = GatewayPlan.of(FlowFile.read(file).config()).text();
        assertThat(text).contains("\n  meter > deadline > dedupe > breaker > limit > target\n");
    }

    @Test
    void valueEqualToTheDefaultHasOriginFile(@TempDir Path folder) throws Exception {
        String given = """
                        flows:
                          a:
                            from: { http: { port: 8080, path: /a } }
                            to: { http: { url: "https://h/" } }
                            deadline: 30s
                            retry: { attempts: 3 }
                            dedupe: { key: Idempotency-Key, keep: 24h, max_answer: 64KB }
                            collapse: { url: "https://h/batch", format: json-array, max: 100 }
                        """;
        String left = given.replaceAll("\n *deadline: 30s", "")
                .replace("attempts: 3", "answers: 503")
                .replaceAll(", keep: 24h, max_answer: 64KB|, format: json-array, max: 100", "");
        String[] shown = {
            "deadline +30 s",
            "retry.attempts +3",
            "dedupe.keep +1440 min",
            "dedupe.max_answer +64KB",
            "collapse.max +100",
            "collapse.format +json-array"
        };
        String ofFile = plan(folder, given);
        String byDefault = plan(folder, left);
        for (String setting : shown) {
            assertThat(ofFile).containsPattern("\n  " + setting + " .* file ");
            assertThat(byDefault).containsPattern("\n  " + setting + " .* default ");
        }
        assertThat(byDefault).contains("most callers have given up by then");
    }

    private static String plan(Path folder, String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), yaml);
        return GatewayPlan.of(FlowFile.read(file).config()).text();
    }

    private static String golden() throws Exception {
        try (InputStream in = HERE.getResourceAsStream("plan.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
