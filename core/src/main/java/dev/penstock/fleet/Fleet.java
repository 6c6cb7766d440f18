package dev.penstock.fleet;

/**
 * What processes share, and how one of them takes part.
 *
 * @param name the name of all that share the total
 * @param member the name of this process, which no other one ever has, nor an earlier one
 * @param unit the calls in flight, or the calls per second, that a unit is; above 0
 * @param total in units; 1 or more
 * @param safe what this process uses when it cannot reach the store for longer than a lease; 0 for an even share among those that
 *     were there before
 * @param most what this process can use at most; 1 or more
 */
public record Fleet(String name, String member, double unit, int total, int safe, int most) {
    /** Checks the ranges; throws an {@link IllegalArgumentException}. */
    public Fleet {
        if (total < 1 || safe < 0 || most < 1) {
            throw new IllegalArgumentException(
                    "a fleet shares 1 or more, not " + total + " (safe " + safe + ", most " + most + ")");
        }
    }
}
