package dev.penstock.lab.simulate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ByteRateTest {
    private static final long SECOND = 1_000_000_000;
    private static final long START = Long.MAX_VALUE - SECOND; // readings overflow on the way

    @Test
    void bytesWaitForThoseBeforeThem() {
        ByteRate rate = new ByteRate(1_000);

        assertThat(rate.reserve(20, START)).isEqualTo(START);
        assertThat(rate.reserve(20, START)).isEqualTo(at(SECOND / 50));
        assertThat(rate.reserve(10, at(SECOND / 50))).isEqualTo(at(SECOND / 25));
        assertThat(rate.reserve(10, at(SECOND / 50))).isEqualTo(at(SECOND / 20));
    }

    @Test
    void anIdleLinkSavesNothingUp() {
        ByteRate rate = new ByteRate(1_000);
        rate.reserve(20, START);

        assertThat(rate.reserve(20, at(10 * SECOND))).isEqualTo(at(10 * SECOND));
        assertThat(rate.reserve(20, at(10 * SECOND))).isEqualTo(at(10 * SECOND + SECOND / 50));
    }

    @Test
    void withoutALimitAllPassesAtOnce() {
        ByteRate rate = new ByteRate(0);

        for (int i = 0; i < 1_000_000; i++) {
            assertThat(rate.reserve(rate.piece(), START) == START).isTrue();
        }
    }

    @Test
    void piecesAreSmallWhereTheLinkIsSlow() {
        assertThat(new ByteRate(1).piece()).isEqualTo(1);
        assertThat(new ByteRate(1_000).piece()).isEqualTo(20);
        assertThat(new ByteRate(100_000_000_000L).piece()).isEqualTo(16 * 1024);
    }

    /** However it is asked, no more passes by a time than the rate allows beside the one piece that passes at once. */
    @Property(tries = 200)
    void aBusyLinkKeepsItsRateExactly(
            @ForAll @LongRange(min = 1, max = 100_000_000_000L) long bytesPerSecond,
            @ForAll @IntRange(min = 1, max = 2_000) int pieces) {
        ByteRate rate = new ByteRate(bytesPerSecond);
        int piece = Math.max(1, rate.piece() * 2 / 3);
        long at = START;
        for (int i = 0; i < pieces; i++) {
            at = rate.reserve(piece, START);
        }
        double expected = (pieces - 1.0) * piece / bytesPerSecond * SECOND;
        assertThat((double) (at - START)).isBetween(expected * 0.999999 - 1, expected * 1.000001 + 1);
    }

    private static long at(long nanos) {
        return START + nanos;
    }
}
