package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelSocketsTest {
    private static final String HEAD =
            "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops";
    private static final List<String> IPV4 = List.of(
            HEAD,
            "  100: 0100007F:2328 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 11 2 0000000000000000 42",
            "  101: 00000000:2328 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 12 2 0000000000000000 5",
            "  102: 0200007F:2328 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 13 2 0000000000000000 900",
            "  103: 0100007F:2329 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 14 2 0000000000000000 7");
    private static final List<String> IPV6 = List.of(
            HEAD,
            "  1: 0000000000000000FFFF00000100007F:2328 00000000000000000000000000000000:0000 07 0:0 0:0 0 0 0 11 2 0 3",
            "  2: 00000000000000000000000001000000:2328 00000000000000000000000000000000:0000 07 0:0 0:0 0 0 0 12 2 0 4");

    @Test
    void addsUpTheSocketsThatTakeWhatIsSentThere() throws Exception {
        assertThat(KernelSockets.dropped(IPV4, new InetSocketAddress("127.0.0.1", 9_000)))
                .hasValue(47);
        assertThat(KernelSockets.dropped(IPV6, new InetSocketAddress("127.0.0.1", 9_000)))
                .hasValue(3);
        assertThat(KernelSockets.dropped(IPV6, new InetSocketAddress("::1", 9_000)))
                .hasValue(4);
    }

    @Test
    void whereThereIsNoneNothingIsTold() throws Exception {
        assertThat(KernelSockets.dropped(IPV4, new InetSocketAddress("127.0.0.1", 9_999)))
                .isEmpty();
        assertThat(KernelSockets.dropped(List.of(), new InetSocketAddress("127.0.0.1", 9_000)))
                .isEmpty();
    }
}
