package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PoolSizingTest {
    private final PoolSizing sizing = new PoolSizing();

    @Test
    void waitingCallersRaiseTheMaximum() {
        sizing.round(100, 10, 30);

        assertThat(sizing.max()).isEqualTo(15);
        assertThat(sizing.reason()).isEqualTo("all 10 were in use at 100/s, and 30 callers waited");
    }

    @Test
    void raisesTheMaximumWhileThroughputGrowsUpToTheCeiling() {
        for (int i = 0; i < 40; i++) {
            sizing.round(sizing.max() * 10, sizing.max(), 100);
        }

        assertThat(sizing.max()).isEqualTo(PoolSizing.CEILING);
    }

    @Test
    void undoesARaiseThatDidNotRaiseTheThroughput() {
        sizing.round(100, 10, 30);
        sizing.round(100, 15, 25);

        assertThat(sizing.max()).isEqualTo(10);
        assertThat(sizing.reason()).isEqualTo("more than 10 connections did not raise the throughput above 100/s");

        sizing.round(100, 10, 30);
        assertThat(sizing.max()).as("not again at once").isEqualTo(10);
    }

    @Test
    void callersThatDoNotWaitRaiseNothing() {
        sizing.round(100, 10, 0);
        sizing.round(100, 9, 1);

        assertThat(sizing.max()).isEqualTo(PoolSizing.FIRST);
    }
}
