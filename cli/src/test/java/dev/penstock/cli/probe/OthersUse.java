package dev.penstock.cli.probe;

import com.sun.management.OperatingSystemMXBean;
import dev.penstock.lab.measure.StealClock;
import java.lang.management.ManagementFactory;

/**
 * How much of the machine other processes take, and the host where it is a virtual one. Where the system does not tell (it is no
 * Linux), that is nothing.
 */
record OthersUse(StealClock machine, long own, long at) {
    /** Of the clock of the kernel, for everybody who asks (proc(5), USER_HZ). */
    private static final double TICKS_A_SECOND = 100;

    /** From now on. */
    static OthersUse from() {
        return new OthersUse(StealClock.now(), ownNanos(), System.nanoTime());
    }

    /** Cores that others wanted since then, on average. */
    double cores() {
        double wanted = (StealClock.now().wanted() - machine.wanted()) / TICKS_A_SECOND;
        double mine = (ownNanos() - own) / 1e9;
        return Math.max(0, wanted - mine) * 1e9 / (System.nanoTime() - at);
    }

    private static long ownNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
