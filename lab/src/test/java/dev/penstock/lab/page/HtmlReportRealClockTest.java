package dev.penstock.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.lab.report.ResultFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HtmlReportRealClockTest {
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    /** Of the processor's time, so that other processes do not count; it takes a second, and grows with the size alone. */
    private static final Duration MOST = Duration.ofSeconds(20);

    @Test
    void aLargeRaceIsMadeInSecondsOfProcessorTime() {
        HtmlReport.of(SampleRace.file());
        ResultFile file = SampleRace.noisy();

        long start = CPU.getCurrentThreadCpuTime();
        String page = HtmlReport.of(file);
        assertThat(Duration.ofNanos(CPU.getCurrentThreadCpuTime() - start)).isLessThan(MOST);
        assertThat(page).isNotEmpty();
    }
}
