package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class CrewTest {
    @Test
    void delaysGrowByTheLaw() throws Exception {
        Crew crew = new Crew(Integer.MAX_VALUE, Integer.MAX_VALUE, 0.1, 0.01);
        assertThat(crew.begin()).isTrue();
        assertThat(crew.slowness()).isEqualTo(1);
        assertThat(crew.begin()).isTrue();
        assertThat(crew.begin()).isTrue();
        assertThat(crew.slowness()).isCloseTo(1 + 0.1 * 2 + 0.01 * 3 * 2, within(1e-12));
        crew.end();
        assertThat(crew.slowness()).isCloseTo(1 + 0.1 + 0.01 * 2, within(1e-12));
        assertThat(crew).hasToString(", contention 0.100, coherence 0.0100");
    }

    @Test
    void whoFindsTheLineFullIsSentAway() throws Exception {
        Crew crew = new Crew(1, 0, 0, 0);
        assertThat(crew.begin()).isTrue();
        assertThat(crew.begin()).isFalse();
        crew.end();
        assertThat(crew.begin()).isTrue();
        assertThat(crew).hasToString(", 1 at once and 0 in line");
    }

    @Test
    void othersWaitUntilAWorkerIsFree() throws Exception {
        Crew crew = new Crew(1, 1, 0, 0);
        assertThat(crew.begin()).isTrue();
        CountDownLatch served = new CountDownLatch(1);
        Thread other = Thread.ofVirtual().start(() -> {
            try {
                if (crew.begin()) {
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
        crew.end();
        assertThat(served.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
