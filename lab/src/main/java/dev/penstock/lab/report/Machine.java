package dev.penstock.lab.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The machine of a measurement.
 *
 * @param cores available to this JVM
 * @param memoryMb of the machine, or of the container
 * @param kernel the operating system and its version
 * @param jdk the version of the runtime
 */
public record Machine(int cores, long memoryMb, String kernel, String jdk) {
    /** The current machine. */
    public static Machine here() {
        long memory = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize() >> 20
                : 0;
        return new Machine(
                Runtime.getRuntime().availableProcessors(),
                memory,
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                Runtime.version().toString());
    }
}
