package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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

    private static String logged(boolean traces, @Nullable Exception failure) {
        LoggerContext logs = new LoggerContext();
        var line = new LoggingEvent("", logs.getLogger("x.Connection"), Level.WARN, "broken", failure, null);
        return new String(LogSetup.encoder(logs, LogSetup.Format.TEXT, traces).encode(line), StandardCharsets.UTF_8);
    }
}
