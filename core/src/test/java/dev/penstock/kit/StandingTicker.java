package dev.penstock.kit;

import dev.penstock.Ticker;

/**
 * A clock that stands still. A thread that waits by it spins, so that a test of a race needs no wake-up.
 *
 * @param nanos its only reading
 */
public record StandingTicker(long nanos) implements Ticker {
    @Override
    public void parkUntil(long then) {
        Thread.onSpinWait();
    }
}
