package dev.penstock.limit.simulate;

import static dev.penstock.limit.simulate.Behaviour.servers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.World;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

class LimitSimulationRealClockTest {
    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    @Test
    void anHourOfVirtualTimePassesInASmallPartOfIt() {
        Scenario hour = Scenario.named("hour", 2)
                .phase(1_800, servers(10, 100), 150, 10)
                .phase(1_800, servers(8, 100), 120, 8)
                .end();
        long start = CPU.getCurrentThreadCpuTime();
        Log log = Run.of(hour, Contestants.ours(20, hour), 2);
        double seconds = (CPU.getCurrentThreadCpuTime() - start) / 1e9;

        assertThat(log.useful(0, 3_600L * World.SECOND)).isGreaterThan(300_000);
        assertThat(seconds)
                .as("seconds of a core for an hour at 90 answers a second")
                .isLessThan(60);
    }
}
