package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogSetupTest {
    private static final Exception FAILURE =
            new IllegalStateException("Internal error", new IllegalArgumentException("a control character"));

    @Test
    void failureIsOneLineWithItsRootCause() {
        assertThat(logged(false, FAILURE))
                .endsWith("WARN  Connection: broken: java.lang.IllegalArgumentException: a control character\n")
                .hasLineCount(1);
    }

    @Test
    void lineWithoutFailureIsUnchanged() {
        assertThat(logged(false, null)).endsWith("WARN  Connection: broken\n");
    }

    @Test
    void tracesAreShownOnDemand() {
        assertThat(logged(true, FAILURE)).contains("\tat dev.penstock.cli.LogSetupTest");
    }

    @Test
    void jsonHasTheFieldsOfEcs() {
        String line = logged(LogSetup.Format.JSON, false, FAILURE);
        assertThat(line).endsWith("}\n").hasLineCount(1);
        JsonNode fields = JsonMapper.shared().readTree(line);
        assertThat(fields.get("@timestamp").asString()).matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");
        assertThat(fields.get("ecs.version").asString()).isEqualTo("1.2.0");
        assertThat(fields.get("log.level").asString()).isEqualTo("WARN");
        assertThat(fields.get("log.logger").asString()).isEqualTo("x.Connection");
        assertThat(fields.get("message").asString()).isEqualTo("broken");
        assertThat(fields.get("service.name").asString()).isEqualTo("penstock");
        assertThat(fields.get("process.thread.name").asString())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(fields.get("error.type").asString()).isEqualTo(IllegalStateException.class.getName());
        assertThat(fields.get("error.message").asString()).isEqualTo("Internal error");
        assertThat(fields.get("error.stack_trace").asString())
                .contains("\tat dev.penstock.cli.LogSetupTest", "Caused by: ", "a control character");
    }

    private static String logged(boolean traces, @Nullable Exception failure) {
        return logged(LogSetup.Format.TEXT, traces, failure);
    }

    private static String logged(LogSetup.Format format, boolean traces, @Nullable Exception failure) {
        LoggerContext logs = new LoggerContext();
        LoggingEvent line = new LoggingEvent("", logs.getLogger("x.Connection"), Level.WARN, "broken", failure, null);
        line.setMDCPropertyMap(Map.of());
        return new String(LogSetup.encoder(logs, format, traces).encode(line), StandardCharsets.UTF_8);
    }
}
