package dev.penstock.udp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.udp.UdpSource.PeakRate;
import dev.penstock.udp.UdpSourceSettings.SocketCount;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SourcePartsTest {
    @Test
    void usesOneSocketPerTwoProcessors() {
        assertThat(SocketCount.of(null, 1, true).value()).isEqualTo(1);
        assertThat(SocketCount.of(null, 2, true).value()).isEqualTo(1);
        assertThat(SocketCount.of(null, 8, true).value()).isEqualTo(4);
        assertThat(SocketCount.of(null, 128, true).value()).isEqualTo(16);
        assertThat(SocketCount.of(null, 128, false).value()).isEqualTo(1);
        assertThat(SocketCount.of(3, 2, true)).matches(count -> count.given() && count.value() == 3);
    }

    @Test
    void keepsTheHighestRate() {
        PeakRate peak = new PeakRate();
        assertThat(peak.seen(5_000, 0)).isZero();
        assertThat(peak.seen(6_000, 500_000_000)).as("too soon to tell").isZero();
        assertThat(peak.seen(25_000, 2_000_000_000)).isEqualTo(10_000);
        assertThat(peak.seen(25_100, 3_000_000_000L)).isEqualTo(10_000);
    }

    @Test
    void checksBoundsOfSettings() {
        UdpSourceBuilder builder = UdpSource.at(new InetSocketAddress(0));
        assertThatThrownBy(() -> builder.maxSize(65_508)).hasMessage("max_size must be 1 to 65507, not 65508");
        assertThatThrownBy(() -> builder.burst(0)).hasMessageContaining("burst");
        assertThatThrownBy(() -> builder.buffer(1)).hasMessageContaining("buffer");
        assertThatThrownBy(() -> builder.shards(65)).hasMessageContaining("shards");
        assertThatThrownBy(() -> builder.ring(63)).hasMessageContaining("ring");
        assertThatThrownBy(() -> builder.wait(Duration.ZERO)).hasMessageContaining("wait");
    }

    @Test
    void reportsSettingsBeforeTheStart() {
        UdpSource source =
                UdpSource.at(new InetSocketAddress("127.0.0.1", 9000)).burst(92).inline((request, answer) -> true);
        assertThat(source.where()).isEqualTo("udp 127.0.0.1:9000");
        assertThat(source.settings()).extracting("name").contains("udp.buffer", "udp.shards", "udp.reader");
        assertThat(source.settings().stream()
                        .filter(setting -> setting.name().equals("udp.burst"))
                        .findFirst()
                        .orElseThrow())
                .matches(setting -> setting.value().equals("92") && setting.pinned());
        assertThat(source.advice()).isEmpty();
        assertThat(source.drops()).containsOnlyKeys(DropLocation.values()).containsValue(0L);
        source.close();
    }

    @Test
    void formatsByteCounts() {
        assertThat(BufferSize.format(900)).isEqualTo("900B");
        assertThat(BufferSize.format(212_992)).isEqualTo("208KB");
        assertThat(BufferSize.format(4_194_304)).isEqualTo("4MB");
        assertThat(BufferSize.format(4_500_000)).isEqualTo("4.3MB");
    }
}
