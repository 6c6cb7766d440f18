package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.LiveLine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The whole path on real sockets: callers, source, flow, target, simulated gateway. */
class DemoRealClockTest {
    @Test
    void everyPaymentIsAnsweredOnceAndAccountedFor() throws Exception {
        StringWriter told = new StringWriter();
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        DemoReport report;
        try (LiveLine live = new LiveLine(nowhere, LiveLine.Style.QUIET, 80)) {
            report = new Demo(Duration.ofMillis(500), 1, false).run(new PrintWriter(told), live);
        }
        assertThat(told.toString()).contains("flow payments:", "dashboard:");
        assertThat(report.account().sentence())
                .isEqualTo("offered 100 = answered 100 + rejected 0 + failed 0 + unknown 0 + in flight 0");
        assertThat(report.received().ids().unique()).isEqualTo(100);
        assertThat(report.received().ids().duplicates()).isZero();
        assertThat(report.load().counts().errors()).isZero();
        assertThat(report.connections().get("opened")).isBetween(1L, 100L);
    }
}
