package dev.penstock.cli.probe;

import com.sun.management.OperatingSystemMXBean;
import dev.penstock.lab.measure.StealClock;
import java.lang.management.ManagementFactory;

/**
 * The CPU use of other processes, and of the host of a virtual machine; 0 where the system does not report it (not
 * Linux).
 */
record OthersUse(StealClock machine, long own, long at) {
    /** Ticks per second of /proc/stat (proc(5), USER_HZ). */
    private static final double TICKS_A_SECOND = 100;

    /** Starts measuring. */
    static OthersUse from() {
        return new OthersUse(StealClock.now(), ownNanos(), System.nanoTime());
    }

    /** The mean number of cores that others wanted since the start. */
    double cores() {
        double wanted = (StealClock.now().wanted() - machine.wanted()) / TICKS_A_SECOND;
        double mine = (ownNanos() - own) / 1e9;
        return Math.max(0, wanted - mine) * 1e9 / (System.nanoTime() - at);
    }

    private static long ownNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }
}
