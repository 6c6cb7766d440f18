package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.junit.jupiter.api.Test;

class Http2StreamSlotsTest {
    private final Http2StreamSlots places = new Http2StreamSlots();

    @Test
    void aConnectionIsDesertedOnceItTakesNoMoreAndNobodyWaitsOnIt() {
        Http2Stream slow = stream();
        Http2Stream other = stream();
        places.take();
        places.take();
        assertThat(places.isDeserted()).isFalse();
        places.giveUp(slow);
        assertThat(places.isRetired()).isTrue();
        assertThat(places.isDeserted()).isFalse();
        places.free(other, 1);
        assertThat(places.taken()).isEqualTo(1);
        assertThat(places.isDeserted()).isTrue();
        places.free(slow, 2);
        assertThat(places.isDeserted()).isTrue();
        assertThat(places.isEmpty()).isTrue();
    }

    @Test
    void aConnectionThatTakesMoreIsNotDesertedWhenItIsEmpty() {
        places.take();
        places.free(stream(), 1);
        assertThat(places.isEmpty()).isTrue();
        assertThat(places.isDeserted()).isFalse();
    }

    @Test
    void aConnectionIsIdleFromItsLastStreamOrItsOpeningOn() {
        places.opened(100);
        assertThat(places.isIdle(149, 50)).isFalse();
        assertThat(places.isIdle(150, 50)).isTrue();
        places.take();
        assertThat(places.isIdle(1_000, 50)).isFalse();
        places.free(1_000);
        assertThat(places.isIdle(1_049, 50)).isFalse();
        assertThat(places.isIdle(1_050, 50)).isTrue();
    }

    private static Http2Stream stream() {
        Http2Connection.Keeper nobody = new Http2Connection.Keeper() {
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
                new Http2Connection(nobody, 1, null, () -> {}), new BasicHttpRequest("GET", "/"), HttpCall.get("/"), 1);
    }
}
