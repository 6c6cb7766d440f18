package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.guard.PoolSizing.Seen;
import org.junit.jupiter.api.Test;

class PoolSizingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final long REST = 25 * SECOND;

    /** A window of a second in which so many callers had a connection for so long. */
    private static Seen seen(long returned, long holdMillis, int peak, int waiting, int max) {
        double inUse = Math.min(max, returned * holdMillis / 1000.0);
        return new Seen(
                SECOND, returned, returned * holdMillis * MILLI, holdMillis * MILLI, inUse, peak, waiting, 40 * MILLI);
    }

    @Test
    void shortCallsInABurstPassThroughOne() {
        PoolSizing shape = new PoolSizing(0, 0);
        shape.window(seen(20, 1, 20, 0, 10), 0, REST);

        assertThat(shape.warm()).isEqualTo(1);
        assertThat(shape.max()).isEqualTo(PoolSizing.FIRST);
    }

    @Test
    void longCallsInABurstKeepManyWarm() {
        PoolSizing shape = new PoolSizing(20, 0);
        shape.window(seen(20, 360, 20, 0, 20), 0, REST);

        assertThat(shape.warm()).isEqualTo(18);
        assertThat(shape.warmReason()).contains("an opening takes 40 ms");
    }

    @Test
    void aSteadyStreamKeepsRateTimesTimeAndItsRootWarm() {
        PoolSizing shape = new PoolSizing(50, 0);
        shape.window(seen(400, 10, 5, 0, 50), 0, REST);

        assertThat(shape.warm()).isEqualTo(4 + 2);
    }

    @Test
    void forNobodyOneIsKeptForAWhileOnly() {
        PoolSizing shape = new PoolSizing(0, 0);
        shape.window(seen(20, 1, 20, 0, 10), 0, REST);
        shape.window(seen(0, 0, 0, 0, 10), REST, REST);
        assertThat(shape.warm()).isEqualTo(1);

        shape.window(seen(0, 0, 0, 0, 10), REST + 1, REST);

        assertThat(shape.warm()).isZero();
        assertThat(shape.warmReason()).isEqualTo("nobody wanted one for 25 s");
    }

    @Test
    void aGivenNumberStaysWarm() {
        PoolSizing shape = new PoolSizing(10, 4);
        shape.window(seen(0, 0, 0, 0, 10), 100 * REST, REST);

        assertThat(shape.warm()).isEqualTo(4);
        assertThat(shape.warmReason()).isEqualTo("given");
        assertThat(shape.isWarmPinned()).isTrue();
    }

    @Test
    void whoWaitsRaisesWhatIsAllowed() {
        PoolSizing shape = new PoolSizing(0, 0);
        shape.window(seen(100, 100, 40, 30, 10), 0, REST);

        assertThat(shape.max()).isEqualTo(15);
        assertThat(shape.maxReason()).contains("100 a second for 100.0 ms each").contains("30 waited");
    }

    @Test
    void moreAreAllowedWhileMoreIsCarriedAndNeverBeyondTheCeiling() {
        PoolSizing shape = new PoolSizing(0, 0);
        for (int i = 0; i < 40; i++) {
            shape.window(seen(shape.max() * 10L, 100, 200, 100, shape.max()), 0, REST);
        }

        assertThat(shape.max()).isEqualTo(PoolSizing.CEILING);
    }

    @Test
    void goesBackWhenTheDatabaseIsWhatIsFull() {
        PoolSizing shape = new PoolSizing(0, 0);
        shape.window(seen(100, 100, 40, 30, 10), 0, REST);
        shape.window(seen(100, 150, 40, 25, 15), 0, REST);

        assertThat(shape.max()).isEqualTo(10);
        assertThat(shape.maxReason()).isEqualTo("more than 10 carried no more than 100 a second");

        shape.window(seen(100, 100, 40, 30, 10), 0, REST);
        assertThat(shape.max()).as("not again at once").isEqualTo(10);
    }

    @Test
    void aGivenBoundIsNotRaised() {
        PoolSizing shape = new PoolSizing(7, 0);
        shape.window(seen(70, 100, 40, 30, 7), 0, REST);

        assertThat(shape.max()).isEqualTo(7);
        assertThat(shape.isMaxPinned()).isTrue();
    }
}
