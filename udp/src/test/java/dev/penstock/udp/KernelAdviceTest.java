package dev.penstock.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class KernelAdviceTest {
    private static BufferSize given(long bytes) {
        BufferSize buffer = new BufferSize(10_000, 2_048, null);
        buffer.applied(bytes);
        return buffer;
    }

    @Test
    void isEmptyWithoutProblems() {
        assertThat(KernelAdvice.about(given(10_000 * 2_304), 0, Map.of())).isEmpty();
    }

    @Test
    void namesTheCommandAndTheExpectedLoss() {
        assertThat(KernelAdvice.about(given(4_194_304), 0, Map.of()))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("the receive buffer holds 1,820 datagrams = 18 ms of a stall at 100,000/s;")
                .endsWith("as root: sysctl -w net.core.rmem_max=11520000");
    }

    @Test
    void usesTheMeasuredRate() {
        assertThat(KernelAdvice.about(given(4_194_304), 910_000, Map.of()).getFirst())
                .contains("2.0 ms of a stall at 910,000/s");
    }

    @Test
    void advisesOnOtherDropLocations() {
        assertThat(KernelAdvice.about(
                        given(10_000 * 2_304), 0, Map.of(DropLocation.BACKLOG, 7L, DropLocation.CARD, 9L)))
                .anyMatch(line ->
                        line.contains("7 packets") && line.contains("sysctl -w net.core.netdev_max_backlog=3000"))
                .anyMatch(line -> line.contains("9 packets") && line.contains("ethtool"));
    }
}
