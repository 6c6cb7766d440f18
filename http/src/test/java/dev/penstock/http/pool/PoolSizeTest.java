package dev.penstock.http.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PoolSizeTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int START = 64;

    private final PoolSize size = PoolSize.automatic();

    /** A window in which so many a second each took so many milliseconds. */
    private void window(int perSecond, int millis, int inUse) {
        long carried = 10L * perSecond;
        size.window(PoolSize.WINDOW, carried, carried * millis * 1_000_000L, inUse);
    }

    @Test
    void aGivenNumberStays() {
        PoolSize given = PoolSize.pinned(5);
        given.exhausted(5, 100);
        given.window(PoolSize.WINDOW, 1_000_000, 1_000 * SECOND, 5);
        assertThat(given.max()).isEqualTo(5);
        assertThat(given.reason()).isEqualTo("given");
        assertThat(given.isPinned()).isTrue();
    }

    @Test
    void twiceWhatIsInUseByLittlesLawAndSomeMore() {
        window(200, 1_000, 180);
        assertThat(size.max()).isEqualTo(2 * 200 + PoolSize.HEADROOM);
        assertThat(size.reason())
                .isEqualTo("200.0 calls/s of 1 s each use at most 200 connections (rate x time); twice that plus 32");
    }

    @Test
    void aShortPauseDoesNotCloseWhatIsNeededAgain() {
        window(200, 1_000, 180);
        for (int i = 0; i < 5; i++) {
            window(0, 0, 0);
            assertThat(size.max()).isEqualTo(432);
        }
        window(0, 0, 0);
        assertThat(size.max()).isEqualTo(START);
        assertThat(size.reason()).isEqualTo("little traffic in the last minute");
    }

    @Test
    void itDoesNotFallWhileMoreAreInUse() {
        window(200, 1_000, 180);
        for (int i = 0; i < 10; i++) {
            window(10, 1_000, 400);
        }
        assertThat(size.max()).isEqualTo(432);
    }

    @Test
    void whoFindsNoPlaceRaisesItAtOnce() {
        size.exhausted(START, 0);
        assertThat(size.max()).isEqualTo(START + 1 + PoolSize.HEADROOM);
        assertThat(size.reason()).isEqualTo("65 were needed at once, plus a quarter");
        size.exhausted(400, 99);
        assertThat(size.max()).isEqualTo(500 + 125);
    }

    @Test
    void oneThatCameFreeMeanwhileRaisesNothing() {
        size.exhausted(START - 2, 0);
        assertThat(size.max()).isEqualTo(START);
    }

    @Test
    void theCeilingHolds() {
        size.exhausted(PoolSize.CEILING, 50_000);
        assertThat(size.max()).isEqualTo(PoolSize.CEILING);
        window(100_000, 60_000, PoolSize.CEILING);
        assertThat(size.max()).isEqualTo(PoolSize.CEILING);
    }

    @Property(tries = 300)
    void whateverComesItStaysInItsRangeAndAPressedOneHasRoom(
            @ForAll @Size(max = 40) List<@IntRange(max = 20_000) Integer> counts,
            @ForAll @LongRange(max = 20_000 * SECOND) long busy) {
        PoolSize any = PoolSize.automatic();
        for (int count : counts) {
            if (count % 2 == 0) {
                any.exhausted(count, count % 7);
                assertThat(any.max()).isGreaterThanOrEqualTo(Math.min(PoolSize.CEILING, count + count % 7 + 1));
            } else {
                int before = any.max();
                any.window(PoolSize.WINDOW, count, busy % (count * SECOND), count);
                assertThat(any.max()).isGreaterThanOrEqualTo(Math.min(before, count));
            }
            assertThat(any.max()).isBetween(START, PoolSize.CEILING);
            assertThat(any.reason()).isNotBlank();
        }
    }
}
