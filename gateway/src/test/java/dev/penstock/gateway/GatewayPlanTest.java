package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.FlowFile;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

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

    private static String golden() throws Exception {
        try (InputStream in = HERE.getResourceAsStream("plan.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
