package dev.penstock.observe.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.supervise.Supervisor;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The recorder continues after a snapshot that threw an Error. */
@Timeout(60)
class RecorderFaultsRealClockTest {
    private static final class FailingOnce implements WatchedProcess {
        private final Supervisor supervisor = Supervisor.create();
        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public List<? extends WatchedFlow> flows() {
            if (looks.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("com/example/Gone");
            }
            return List.of();
        }

        @Override
        public boolean isDraining() {
            return false;
        }
    }

    @Test
    void recorderContinuesAfterAnError() throws Exception {
        FailingOnce gateway = new FailingOnce();
        Recorder recorder =
                gateway.supervisor.whileCurrent(() -> new Recorder(gateway, Ticker.SYSTEM, InstantSource.system()));
        recorder.start();
        try {
            assertThat(recorder.after(0)).isNotNull();
            assertThat(recorder.after(1)).isNotNull();
            assertThat(gateway.supervisor.faults()).containsEntry("admin-recorder", 1L);
        } finally {
            recorder.close();
        }
        assertThat(gateway.supervisor.down()).isEmpty();
    }
}
