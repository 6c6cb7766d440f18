package dev.penstock.http.pool;

import static dev.penstock.http.pool.PoolScene.limits;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/** What many idle connections cost, and to close them. */
@Timeout(120)
class ManyConnectionsRealClockTest {
    /** Opens so many, and lets them lie idle; their peers stay open as long as these are held. */
    private static List<Socket> idle(PoolScene scene, int count) throws Exception {
        List<Connection> all = new ArrayList<>();
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(scene.lease());
            peers.add(scene.peer());
        }
        all.forEach(scene::release);
        assertThat(scene.count("idle")).isEqualTo(count);
        return peers;
    }

    private static void close(List<Socket> peers) throws Exception {
        for (Socket peer : peers) {
            peer.close();
        }
    }

    /** All at once: a goodbye of a second to each would be ten minutes. */
    @Test
    void closing600WaitsForNoneOfThem() throws Exception {
        PoolScene scene = new PoolScene(limits(600));
        List<Socket> peers = idle(scene, 600);
        scene.pool.close();
        assertThat(scene.count("idle")).isZero();
        for (Socket peer : peers) {
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
        }
        scene.close();
        close(peers);
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
    }

    /** As many pairs of ends as the limit of this process leaves room for, 5,000 at most. */
    private static int affordable() {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            long left = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - 200;
            return (int) Math.min(5_000, left / 2);
        }
        return 5_000;
    }

    @Test
    void idleOnesCostNoThreadAndLittleMemory(TestReporter reporter) throws Exception {
        int count = affordable();
        if (count < 5_000) {
            reporter.publishEntry("only " + count + " connections: the limit on file descriptors allows no more");
        }
        try (PoolScene scene = new PoolScene(limits(count))) {
            // What is needed for the first is not for each.
            close(idle(scene, 1));
            int threads = ManagementFactory.getThreadMXBean().getThreadCount();
            long before = used();
            List<Socket> peers = idle(scene, count);
            long each = (used() - before) / count;
            assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threads)
                    .isLessThan(10);
            // Both ends are in here: 100 MB for 5,000 of ours would be 20,000 bytes each.
            assertThat(each).isLessThan(10_000);
            close(peers);
        }
    }
}
