package dev.penstock.lab.compare;

import java.util.OptionalDouble;

/**
 * The difference between two runs of the same contestant on this machine (A/A): a smaller difference is not meaningful.
 */
public final class Noise {
    private Noise() {}

    /**
     * The maximum difference of the two runs in percent, with 95 % confidence: the larger distance of the confidence
     * interval's ends from 1. An end below 1 counts as its inverse, so that the order of the two runs does not matter.
     *
     * @param twins the ratio of a contestant to its twin
     * @return 0 or more; empty with too few blocks
     */
    public static OptionalDouble percent(Ratio twins) {
        double most = Math.max(twins.high(), 1 / twins.low());
        return twins.samples() < 2 || most >= Double.MAX_VALUE
                ? OptionalDouble.empty()
                : OptionalDouble.of(100 * (most - 1));
    }
}
