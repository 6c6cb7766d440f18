package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.Unknown;
import org.junit.jupiter.api.Test;

class ServerStageTest {
    private static final int CALLS = 4_000;

    private final Clock clock = new Clock();

    /** Advances when someone waits. */
    private static final class Clock implements Ticker {
        private long now = Long.MAX_VALUE - 1;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void parkUntil(long nanos) {
            now = nanos;
        }
    }

    /** The mean time of consecutive requests. With 4,000 exponential times its error is 1.6 %. */
    private double meanMillis(ServerStage stage) throws Exception {
        long before = clock.now;
        for (long i = 0; i < CALLS; i++) {
            assertThat(stage.isRight(stage.call(i))).isTrue();
        }
        return (clock.now - before) / 1e6 / CALLS;
    }

    @Test
    void requestTakesFiftyMilliseconds() throws Exception {
        assertThat(meanMillis(new ServerStage(60, clock))).isBetween(45.0, 55.0);
    }

    @Test
    void requestTakesTwiceAsLongBeyondTheLimit() throws Exception {
        assertThat(meanMillis(new ServerStage(0, clock))).isBetween(90.0, 110.0);
    }

    @Test
    void closeEndsRunningRequests() {
        ServerStage stage = new ServerStage(60, clock);
        stage.closeAt(clock.now);

        assertThatThrownBy(() -> stage.call(1L)).isInstanceOf(Unknown.class).hasMessage("the stage has closed");
    }
}
