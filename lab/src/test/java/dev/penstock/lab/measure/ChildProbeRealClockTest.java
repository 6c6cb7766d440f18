package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Watches this process as if it were another, and one that ends. */
@Timeout(180)
class ChildProbeRealClockTest {
    private static final long HERE = ProcessHandle.current().pid();

    @TempDir
    private Path proc;

    @Test
    void seesTheCpuTimeOfAnotherProcess() {
        ChildProbe probe = ChildProbe.start("gateway", HERE);
        ChildUse use = probe.soFar();
        for (long n = 0; use.cpuNanos() < 50_000_000; n++) { // as long as it takes, for the clock has ticks of 10 ms
            use = n % 10_000_000 == 0 ? probe.soFar() : use;
        }

        assertThat(use.name()).isEqualTo("gateway");
        assertThat(use.pid()).isEqualTo(HERE);
        assertThat(use.ended()).isFalse();
        probe.restart();
        assertThat(probe.soFar().cpuNanos()).isBetween(0L, use.cpuNanos() + 5_000_000_000L);
    }

    @Test
    void aPeakCountsWhenItRoseMeanwhile() throws IOException {
        status("VmHWM:\t  90000 kB", "VmRSS:\t  50000 kB");
        ChildProbe probe = ChildProbe.start("x", HERE, proc);

        status("VmHWM:\t  90000 kB", "VmRSS:\t  60000 kB");
        probe.sample();
        status("VmHWM:\t  90000 kB", "VmRSS:\t  40000 kB");
        assertThat(probe.soFar().rssPeak()).isEqualTo(60_000L * 1024);

        status("VmHWM:\t  95000 kB", "VmRSS:\t  40000 kB");
        assertThat(probe.soFar().rssPeak()).isEqualTo(95_000L * 1024);
        probe.restart();
        assertThat(probe.soFar().rssPeak()).isEqualTo(40_000L * 1024);
    }

    @Test
    void aSystemThatTellsNoMemoryIsNoError() throws IOException {
        assertThat(ChildProbe.start("x", HERE, proc).soFar().rssPeak()).isEqualTo(-1);
        status("Name: java", "VmRSS: much", "VmHWM:  99999999999999999999 kB");
        assertThat(ChildProbe.start("x", HERE, proc).soFar().rssPeak()).isEqualTo(-1);
    }

    @Test
    void aProcessThatEndsKeepsItsLastFigures() throws Exception {
        Process child = new ProcessBuilder("cat").start(); // ends with its input
        ChildProbe probe = ChildProbe.start("cat", child.pid());
        assertThat(probe.soFar().ended()).isFalse();
        long held = probe.soFar().rssPeak();
        child.getOutputStream().close();
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();

        ChildUse use = probe.soFar();
        assertThat(use.ended()).isTrue();
        assertThat(use.rssPeak()).isEqualTo(held);
        assertThat(use.cpuNanos()).isGreaterThanOrEqualTo(-1);
        assertThat(probe.sample().rss()).isZero();
    }

    @Test
    void aProcessThatIsNotThereIsRefused() {
        for (long pid : List.of(-1L, 0L, Long.MAX_VALUE, 4_194_305L)) { // the kernel gives no id above 2^22
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ChildProbe.start("x", pid))
                    .withMessageStartingWith("no process has the id " + pid + ": use the id of a running process");
        }
    }

    private void status(String... lines) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(String.valueOf(HERE)));
        Files.write(folder.resolve("status"), List.of(lines));
    }
}
