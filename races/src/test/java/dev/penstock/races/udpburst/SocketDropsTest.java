package dev.penstock.races.udpburst;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SocketDropsTest {
    private static final List<String> TABLE = List.of(
            "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops",
            " 1184: 0100007F:C350 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 81 2 0000000000000000 17463  ",
            " 1184: 0100007F:C350 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 82 2 0000000000000000 2",
            "  184: 00000000000000000000000001000000:C351 00000000000000000000000000000000:0000 07 00000000:00000000"
                    + " 00:00000000 00000000     0        0 83 2 0000000000000000 5",
            "");

    @Test
    void readsTheLastColumnOfEachSocketOfThePort() {
        assertThat(SocketDrops.in(TABLE, 50_000)).containsExactly(17_463L, 2L);
        assertThat(SocketDrops.in(TABLE, 50_001)).containsExactly(5L);
        assertThat(SocketDrops.in(TABLE, 50_002)).isEmpty();
    }
}
