package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
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
            while (use.cpuNanos() == 0) { // the system counts in ticks of 10 ms
                use = probe.soFar();
            }
            assertThat(held).hasSize(64);
            assertThat(use.heapPeak()).isGreaterThan(64L << 20);
            assertThat(use.cpuNanos()).isPositive();
            assertThat(use.threadsPeak()).isPositive();
            assertThat(use.gcCount()).isNotNegative();
        }
    }

    @Test
    @SuppressWarnings("DoNotCall")
    void seesTheHeapAsItWasBeforeACollectionThatJustEnded() {
        try (ProcessProbe probe = ProcessProbe.start()) {
            long filled = 0;
            for (int i = 0; i < 48; i++) {
                filled += new byte[1 << 20].length;
            }
            System.gc();

            assertThat(filled).isEqualTo(48L << 20);
            assertThat(probe.soFar().heapPeak()).isGreaterThan(40L << 20);
            assertThat(probe.soFar().gcCount()).isPositive();
        }
    }

    @Test
    void seesWhatOtherThreadsAllocateAlsoVirtualOnesButNotTheOneThatLooks() throws InterruptedException {
        try (ProcessProbe probe = ProcessProbe.start()) {
            long own = new byte[64 << 20].length;
            long before = probe.soFar().allocatedBytes();
            AtomicLong others = new AtomicLong();
            Thread.ofVirtual().start(() -> allocate(others)).join();
            Thread.ofPlatform().start(() -> allocate(others)).join();
            long after = probe.soFar().allocatedBytes();

            assertThat(own).isEqualTo(64L << 20);
            assertThat(others.get()).isEqualTo(64L << 20);
            assertThat(before).isLessThan(64L << 20);
            assertThat(after - before).isBetween(64L << 20, 96L << 20);
        }
    }

    private static void allocate(AtomicLong bytes) {
        for (int i = 0; i < 32; i++) {
            bytes.addAndGet(new byte[1 << 20].length);
        }
    }
}
