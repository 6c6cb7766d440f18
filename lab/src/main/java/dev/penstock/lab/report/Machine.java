package dev.penstock.lab.report;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a result was measured on.
 *
 * @param cores that this JVM may use
 * @param memoryMb of the machine, or of the container
 * @param kernel the system and its version
 * @param jdk the version of the runtime
 */
public record Machine(int cores, long memoryMb, String kernel, String jdk) {
    /** The machine that this runs on. */
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
