package dev.penstock.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.junit.jupiter.api.Test;

class Http2StreamSlotsTest {
    private final Http2StreamSlots slots = new Http2StreamSlots();

    @Test
    void aConnectionIsDesertedOnceItTakesNoMoreAndNobodyWaitsOnIt() {
        Http2Stream slow = stream();
        Http2Stream other = stream();
        slots.take();
        slots.take();
        assertThat(slots.isDeserted()).isFalse();
        slots.abandon(slow);
        assertThat(slots.isRetired()).isTrue();
        assertThat(slots.isDeserted()).isFalse();
        slots.free(other, 1);
        assertThat(slots.taken()).isEqualTo(1);
        assertThat(slots.isDeserted()).isTrue();
        slots.free(slow, 2);
        assertThat(slots.isDeserted()).isTrue();
        assertThat(slots.isEmpty()).isTrue();
    }

    @Test
    void aConnectionThatTakesMoreIsNotDesertedWhenItIsEmpty() {
        slots.take();
        slots.free(stream(), 1);
        assertThat(slots.isEmpty()).isTrue();
        assertThat(slots.isDeserted()).isFalse();
    }

    @Test
    void aConnectionIsIdleFromItsLastStreamOrItsOpeningOn() {
        slots.opened(100);
        assertThat(slots.isIdle(149, 50)).isFalse();
        assertThat(slots.isIdle(150, 50)).isTrue();
        slots.take();
        assertThat(slots.isIdle(1_000, 50)).isFalse();
        slots.free(1_000);
        assertThat(slots.isIdle(1_049, 50)).isFalse();
        assertThat(slots.isIdle(1_050, 50)).isTrue();
    }

    private static Http2Stream stream() {
        Http2Connection.Listener nobody = new Http2Connection.Listener() {
            @Override
            public void released(Http2Stream stream) {}

            @Override
            public void changed(Http2Connection connection) {}

            @Override
            public void endedAfter(int processed) {}

            @Override
            public void ended(Http2Connection connection) {}
        };
        return new Http2Stream(
                new Http2Connection(nobody, 1, null, () -> {}),
                new BasicHttpRequest("GET", "/"),
                new byte[0],
                null,
                1,
                1);
    }
}
