package dev.penstock.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineDropsTest {
    @TempDir
    Path folder;

    private void card(String name, int dropped, int missed) throws IOException {
        Path statistics =
                Files.createDirectories(folder.resolve("net").resolve(name).resolve("statistics"));
        Files.writeString(statistics.resolve("rx_dropped"), dropped + "\n");
        Files.writeString(statistics.resolve("rx_missed_errors"), missed + "\n");
    }

    private void processors(String first, String second) throws IOException {
        Files.writeString(
                folder.resolve("softnet_stat"), "0136cdcd " + first + " 00000005\n00fc49e8 " + second + " 00000006\n");
    }

    @Test
    void countsDropsSinceItsCreation() throws Exception {
        card("eth0", 5, 0);
        processors("0000000a", "00000000");
        MachineDrops drops = new MachineDrops(folder.resolve("net"), folder.resolve("softnet_stat"));
        assertThat(drops.card()).isZero();
        assertThat(drops.backlog()).isZero();

        card("eth0", 8, 2);
        card("eth1", 1, 4);
        processors("0000000b", "00000010");

        assertThat(drops.card()).isEqualTo(3 + 4);
        assertThat(drops.backlog()).isEqualTo(17);
    }

    @Test
    void isEmptyWithoutKernelCounters() throws Exception {
        MachineDrops drops = new MachineDrops(folder.resolve("none"), folder.resolve("none"));
        assertThat(drops.card()).isZero();
        assertThat(drops.backlog()).isZero();
        Files.writeString(folder.resolve("none"), "not numbers here");
        assertThat(drops.backlog()).isZero();
    }
}
