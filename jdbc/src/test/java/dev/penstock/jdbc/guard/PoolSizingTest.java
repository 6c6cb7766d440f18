package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.guard.PoolSizing.Sample;
import org.junit.jupiter.api.Test;

class PoolSizingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final long REST = 25 * SECOND;

    /** A window of one second, with the number of calls and their duration. */
    private static Sample seen(long returned, long holdMillis, int peak, int waiting, int max) {
        double inUse = Math.min(max, returned * holdMillis / 1000.0);
        return new Sample(
                SECOND, returned, returned * holdMillis * MILLI, holdMillis * MILLI, inUse, peak, waiting, 40 * MILLI);
    }

    @Test
    void burstOfShortCallsNeedsOneConnection() {
        PoolSizing sizing = new PoolSizing(0, 0);
        sizing.window(seen(20, 1, 20, 0, 10), 0, REST);

        assertThat(sizing.warm()).isEqualTo(1);
        assertThat(sizing.max()).isEqualTo(PoolSizing.FIRST);
    }

    @Test
    void burstOfLongCallsKeepsManyWarm() {
        PoolSizing sizing = new PoolSizing(20, 0);
        sizing.window(seen(20, 360, 20, 0, 20), 0, REST);

        assertThat(sizing.warm()).isEqualTo(18);
        assertThat(sizing.warmReason()).contains("a connect takes 40 ms");
    }

    @Test
    void steadyLoadKeepsRateTimesTimePlusItsRootWarm() {
        PoolSizing sizing = new PoolSizing(50, 0);
        sizing.window(seen(400, 10, 5, 0, 50), 0, REST);

        assertThat(sizing.warm()).isEqualTo(4 + 2);
    }

    @Test
    void keepsOneConnectionForAWhileWithoutDemand() {
        PoolSizing sizing = new PoolSizing(0, 0);
        sizing.window(seen(20, 1, 20, 0, 10), 0, REST);
        sizing.window(seen(0, 0, 0, 0, 10), REST, REST);
        assertThat(sizing.warm()).isEqualTo(1);

        sizing.window(seen(0, 0, 0, 0, 10), REST + 1, REST);

        assertThat(sizing.warm()).isZero();
        assertThat(sizing.warmReason()).isEqualTo("no connection was requested for 25 s");
    }

    @Test
    void configuredNumberStaysWarm() {
        PoolSizing sizing = new PoolSizing(10, 4);
        sizing.window(seen(0, 0, 0, 0, 10), 100 * REST, REST);

        assertThat(sizing.warm()).isEqualTo(4);
        assertThat(sizing.warmReason()).isEqualTo("configured");
        assertThat(sizing.isWarmPinned()).isTrue();
    }

    @Test
    void waitingCallersRaiseTheMaximum() {
        PoolSizing sizing = new PoolSizing(0, 0);
        sizing.window(seen(100, 100, 40, 30, 10), 0, REST);

        assertThat(sizing.max()).isEqualTo(15);
        assertThat(sizing.maxReason()).contains("100/s x 100.0 ms").contains("30 callers waited");
    }

    @Test
    void raisesTheMaximumWhileThroughputGrowsUpToTheCeiling() {
        PoolSizing sizing = new PoolSizing(0, 0);
        for (int i = 0; i < 40; i++) {
            sizing.window(seen(sizing.max() * 10L, 100, 200, 100, sizing.max()), 0, REST);
        }

        assertThat(sizing.max()).isEqualTo(PoolSizing.CEILING);
    }

    @Test
    void undoesARaiseThatDidNotRaiseTheThroughput() {
        PoolSizing sizing = new PoolSizing(0, 0);
        sizing.window(seen(100, 100, 40, 30, 10), 0, REST);
        sizing.window(seen(100, 150, 40, 25, 15), 0, REST);

        assertThat(sizing.max()).isEqualTo(10);
        assertThat(sizing.maxReason()).isEqualTo("more than 10 connections did not raise the throughput above 100/s");

        sizing.window(seen(100, 100, 40, 30, 10), 0, REST);
        assertThat(sizing.max()).as("not again at once").isEqualTo(10);
    }

    @Test
    void configuredMaximumIsNotRaised() {
        PoolSizing sizing = new PoolSizing(7, 0);
        sizing.window(seen(70, 100, 40, 30, 7), 0, REST);

        assertThat(sizing.max()).isEqualTo(7);
        assertThat(sizing.isMaxPinned()).isTrue();
    }
}
