package dev.penstock.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void theCeilingDoublesUpToItsMost() {
        Backoff backoff = new Backoff(50, 300);
        assertThat(backoff.ceiling(1)).isEqualTo(50);
        assertThat(backoff.ceiling(2)).isEqualTo(100);
        assertThat(backoff.ceiling(3)).isEqualTo(200);
        assertThat(backoff.ceiling(4)).isEqualTo(300);
    }

    @Test
    void noBackoffIsNoWait() {
        assertThat(new Backoff(0, 0).wait(3, new Random(1))).isZero();
    }

    @Property
    void theWaitIsFromZeroToTheCeilingWithoutOverflow(
            @ForAll @IntRange(min = 1, max = 100) int repeat,
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long first,
            @ForAll @LongRange(min = 0, max = Long.MAX_VALUE / 2) long more,
            @ForAll long seed) {
        Backoff backoff = new Backoff(first, first + more);
        assertThat(backoff.wait(repeat, new Random(seed))).isBetween(0L, first + more);
    }
}
