package dev.penstock.races.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.races.overhead.JmhRun.NoFigures;
import dev.penstock.races.overhead.JmhRun.Plan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** There are plausible figures. The bounds are wide, since this runs on any machine at any time. */
class JmhRunRealClockTest {
    private static final Plan SHORT = new Plan(2, 1, Duration.ofMillis(300));

    /**
     * JMH locks the whole machine, and another build may be testing at the same time; nothing here needs a quiet
     * machine.
     */
    @BeforeAll
    static void doNotWaitForOthers() {
        System.setProperty("jmh.ignoreLock", "true");
    }

    @Test
    void noOpCallTakesTimeAndAllocatesNothing() throws Exception {
        Map<String, Double> direct = JmhRun.measure("direct", 1, SHORT, JmhRun.JVM_OPTIONS);
        assertThat(direct).containsOnlyKeys("ns_per_call", "bytes_per_call");
        assertThat(direct.get("ns_per_call")).isBetween(0.2, 100.0);
        assertThat(direct.get("bytes_per_call")).isBetween(0.0, 8.0);
    }

    @Test
    void stagesCostMoreThanANoOp() throws Exception {
        Map<String, Double> penstock = JmhRun.measure("penstock", 2, SHORT, JmhRun.JVM_OPTIONS);
        assertThat(penstock.get("ns_per_call")).isBetween(10.0, 100_000.0);
        assertThat(penstock.get("bytes_per_call")).isBetween(8.0, 1_000.0);
    }

    @Test
    void reportsAFailingContestantInOneLine() {
        assertThatThrownBy(() -> JmhRun.measure("nobody", 1, SHORT, JmhRun.JVM_OPTIONS))
                .isInstanceOf(NoFigures.class)
                .hasMessageStartingWith("the race overhead has no contestant nobody")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void reportsAJvmThatCannotStartInOneLine() {
        assertThatThrownBy(() -> JmhRun.measure("direct", 1, SHORT, List.of("-XX:+NoSuchOption")))
                .isInstanceOf(NoFigures.class)
                .hasMessageContaining("NoSuchOption")
                .message()
                .doesNotContain("\n");
    }
}
