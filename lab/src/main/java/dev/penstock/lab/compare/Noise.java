package dev.penstock.lab.compare;

import java.util.OptionalDouble;

/** How much two runs of the same differ on this machine (A/A): what a difference has to be beyond to mean anything. */
public final class Noise {
    private Noise() {}

    /**
     * How far apart the two may be at most, with 95 % certainty, in percent: how far the ends of the interval are from 1, the
     * further of the two. An end below 1 counts as how many times more the other is, so that it does not matter which of
     * the two was called ours.
     *
     * @param twins the ratio of a contestant to its twin
     * @return 0 or more; empty when there are too few blocks to tell
     */
    public static OptionalDouble percent(Ratio twins) {
        double most = Math.max(twins.high(), 1 / twins.low());
        return twins.samples() < 2 || most >= Double.MAX_VALUE
                ? OptionalDouble.empty()
                : OptionalDouble.of(100 * (most - 1));
    }
}
