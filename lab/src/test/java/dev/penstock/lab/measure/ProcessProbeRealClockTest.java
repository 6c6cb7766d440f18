package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessProbeRealClockTest {
    @Test
    void seesCpuTimeAndHeap() {
        try (ProcessProbe probe = ProcessProbe.start()) {
            List<byte[]> held = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                held.add(new byte[1 << 20]);
            }
            ProcessUse use = probe.soFar();
            assertThat(held).hasSize(64);
            assertThat(use.heapPeak()).isGreaterThan(64L << 20);
            assertThat(use.cpuNanos()).isPositive();
            assertThat(use.threadsPeak()).isPositive();
            assertThat(use.gcCount()).isNotNegative();
        }
    }
}
