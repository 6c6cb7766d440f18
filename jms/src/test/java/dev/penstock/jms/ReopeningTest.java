package dev.penstock.jms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.World;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ReopeningTest {
    private final Reopening reopening = new Reopening();
    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void theFirstTryNeedNotWait() {
        assertThat(reopening.waitLeft(-5)).isZero();
    }

    @Test
    void waitsDoubleUpToTheMost() {
        long ceiling = 100 * World.MILLI;
        for (int failure = 0; failure < 40; failure++) {
            reopening.failed(7, random);
            assertThat(reopening.waitLeft(7)).isBetween(ceiling / 2, ceiling);
            ceiling = Math.min(2 * ceiling, 5 * World.SECOND);
        }
        assertThat(reopening.waitLeft(7 + 5 * World.SECOND)).isZero();
    }

    @Test
    void oneThatCarriesMakesAllAsItWas() {
        for (int failure = 0; failure < 10; failure++) {
            reopening.failed(0, random);
        }
        reopening.works();
        assertThat(reopening.waitLeft(0)).isZero();
        reopening.failed(0, random);
        assertThat(reopening.waitLeft(0)).isLessThanOrEqualTo(100 * World.MILLI);
    }
}
