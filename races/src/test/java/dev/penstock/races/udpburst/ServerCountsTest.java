package dev.penstock.races.udpburst;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.races.udpburst.Server.ServerCounts;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerCountsTest {
    @Test
    void readsTheCountsOfAServer() {
        ServerCounts before = ServerCounts.read("received=4 answered=3 dropped.socket=1 dropped.ring=0");
        ServerCounts now =
                ServerCounts.read("received=9 answered=8 dropped.socket=7 dropped.ring=2 allocated=-1 cpu_ns=5");

        assertThat(now.received()).isEqualTo(9);
        assertThat(now.answered()).isEqualTo(8);
        assertThat(now.value("cpu_ns")).hasValue(5);
        assertThat(now.value("allocated")).isEmpty();
        assertThat(now.value("heap_peak")).isEmpty();
        assertThat(now.droppedSince(before)).isEqualTo(Map.of("socket", 6L, "ring", 2L));
        assertThatThrownBy(() -> ServerCounts.read("failed: reason")).hasMessageContaining("failed: reason");
    }

    @Test
    void unansweredDatagramsMustMatchTheCounters() {
        Map<String, Double> seen = Map.of("lost", 10.0, "drops", 8.0);

        assertThat(BurstCourse.uncounted(seen, Map.of())).isEqualTo(2);
        assertThat(BurstCourse.uncounted(seen, Map.of("socket", 7L, "ring", 3L, "card", 5L)))
                .isZero();
        assertThat(BurstCourse.uncounted(seen, Map.of("socket", 13L))).isEqualTo(3);
    }
}
