package dev.penstock.udp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BufferSizeTest {
    private final BufferSize buffer = new BufferSize(10_000, 2_048, null);

    @Test
    void fitsABurst() {
        buffer.applied(buffer.wanted());

        assertThat(buffer.wanted()).isEqualTo(10_000 * 2_304);
        assertThat(buffer.holdsBurst()).isTrue();
        assertThat(buffer.setting().value()).isEqualTo("22MB");
        assertThat(buffer.setting().reason()).isEqualTo("holds 10,000 datagrams of 1,024 bytes: a burst of 10,000");
        assertThat(buffer.setting().pinned()).isFalse();
    }

    @Test
    void doublesAfterDrops() {
        buffer.applied(buffer.wanted());

        assertThat(buffer.dropped(0)).isEmpty();
        assertThat(buffer.dropped(12)).hasValue(2 * 10_000 * 2_304);
        buffer.applied(buffer.wanted());
        assertThat(buffer.dropped(12)).as("no more than before").isEmpty();
        assertThat(buffer.setting().reason()).endsWith("grown after 12 drops");
    }

    @Test
    void hasAMaximum() {
        for (int drops = 1; drops < 20; drops++) {
            buffer.applied(buffer.wanted());
            buffer.dropped(drops);
        }
        assertThat(buffer.wanted()).isEqualTo(BufferSize.MOST);
        assertThat(new BufferSize(1_000_000, 2_048, null).wanted()).isEqualTo(BufferSize.MOST);
    }

    @Test
    void doesNotGrowBeyondTheSystemLimit() {
        buffer.applied(4_194_304);

        assertThat(buffer.isClamped()).isTrue();
        assertThat(buffer.holdsBurst()).isFalse();
        assertThat(buffer.dropped(50)).isEmpty();
        assertThat(buffer.setting().reason())
                .isEqualTo(
                        "holds 1,820 datagrams of 1,024 bytes, fewer than requested: limited by the system (net.core.rmem_max)");
    }

    @Test
    void configuredSizeIsFixed() {
        BufferSize pinned = new BufferSize(10_000, 2_048, 212_992L);
        pinned.applied(212_992);

        assertThat(pinned.wanted()).isEqualTo(212_992);
        assertThat(pinned.dropped(1_000)).isEmpty();
        assertThat(pinned.holds()).isEqualTo(92);
        assertThat(pinned.setting().pinned()).isTrue();
    }
}
