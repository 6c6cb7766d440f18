package dev.penstock.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.World;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReconnectBackoffTest {
    private final ReconnectBackoff reconnectBackoff = new ReconnectBackoff();
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void firstAttemptDoesNotWait() {
        assertThat(reconnectBackoff.waitLeft(-5)).isZero();
    }

    @Test
    void waitsDoubleUpToTheMaximum() {
        long ceiling = 100 * World.MILLI;
        for (int failure = 0; failure < 40; failure++) {
            reconnectBackoff.failed(7, random);
            assertThat(reconnectBackoff.waitLeft(7)).isBetween(ceiling / 2, ceiling);
            ceiling = Math.min(2 * ceiling, 5 * World.SECOND);
        }
        assertThat(reconnectBackoff.waitLeft(7 + 5 * World.SECOND)).isZero();
    }

    @Test
    void successResetsTheBackoff() {
        for (int failure = 0; failure < 10; failure++) {
            reconnectBackoff.failed(0, random);
        }
        reconnectBackoff.succeeded();
        assertThat(reconnectBackoff.waitLeft(0)).isZero();
        reconnectBackoff.failed(0, random);
        assertThat(reconnectBackoff.waitLeft(0)).isLessThanOrEqualTo(100 * World.MILLI);
    }
}
