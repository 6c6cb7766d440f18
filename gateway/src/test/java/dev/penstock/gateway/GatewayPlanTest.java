package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.FlowFile;
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
        assertThat(text).isEqualTo(golden());
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
                            pool: { wait: 2s, sweep: 3s, max_age: 5m, validate_after: 4s, max_answer: 2MB }
                        pool: { max: 2000 }
                        """);
        String text = GatewayPlan.of(FlowFile.read(file).config()).text();
        assertThat(text)
                .containsPattern("\n  pool.wait +2 s +1 ms..1 h +file ")
                .containsPattern("\n  pool.sweep +3 s ")
                .containsPattern("\n  pool.max_age +5 min ")
                .containsPattern("\n  pool.validate_after +4 s ")
                .containsPattern("\n  pool.max_answer +2097152 bytes ")
                .containsPattern("\n  pool.max +2000 +1..1000000 +file ")
                .contains("proxy.example:3128")
                .doesNotContain("s3cr3t");
    }

    private static String golden() throws Exception {
        try (InputStream in = HERE.getResourceAsStream("plan.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
