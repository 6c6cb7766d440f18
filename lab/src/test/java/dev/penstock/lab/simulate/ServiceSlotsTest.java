package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ServiceSlotsTest {
    @Test
    void delaysGrowByTheLaw() throws Exception {
        ServiceSlots serviceSlots = new ServiceSlots(Integer.MAX_VALUE, Integer.MAX_VALUE, 0.1, 0.01);
        assertThat(serviceSlots.begin()).isTrue();
        assertThat(serviceSlots.slowness()).isEqualTo(1);
        assertThat(serviceSlots.begin()).isTrue();
        assertThat(serviceSlots.begin()).isTrue();
        assertThat(serviceSlots.slowness()).isCloseTo(1 + 0.1 * 2 + 0.01 * 3 * 2, within(1e-12));
        serviceSlots.end();
        assertThat(serviceSlots.slowness()).isCloseTo(1 + 0.1 + 0.01 * 2, within(1e-12));
        assertThat(serviceSlots).hasToString(", contention 0.100, coherence 0.0100");
    }

    @Test
    void whoFindsTheLineFullIsSentAway() throws Exception {
        ServiceSlots serviceSlots = new ServiceSlots(1, 0, 0, 0);
        assertThat(serviceSlots.begin()).isTrue();
        assertThat(serviceSlots.begin()).isFalse();
        serviceSlots.end();
        assertThat(serviceSlots.begin()).isTrue();
        assertThat(serviceSlots).hasToString(", 1 concurrent and 0 queued");
    }

    @Test
    void othersWaitUntilAWorkerIsFree() throws Exception {
        ServiceSlots serviceSlots = new ServiceSlots(1, 1, 0, 0);
        assertThat(serviceSlots.begin()).isTrue();
        CountDownLatch served = new CountDownLatch(1);
        Thread other = Thread.ofVirtual().start(() -> {
            try {
                if (serviceSlots.begin()) {
                    served.countDown();
                }
            } catch (InterruptedIOException e) {
                // The test has failed then.
            }
        });
        while (other.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(served.getCount()).isOne();
        serviceSlots.end();
        assertThat(served.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
