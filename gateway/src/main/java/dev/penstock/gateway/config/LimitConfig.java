package dev.penstock.gateway.config;

/** How many transactions of a flow may be at its target at once. */
public sealed interface LimitConfig {
    /** Penstock decides. */
    record Automatic() implements LimitConfig {}

    /**
     * A number that stays.
     *
     * @param permits 1 to 1,000,000
     */
    record Fixed(Configured<Integer> permits) implements LimitConfig {}

    /**
     * Penstock decides between two numbers.
     *
     * @param min 1 to {@code max}
     * @param max {@code min} to 1,000,000
     */
    record Bounds(Configured<Integer> min, Configured<Integer> max) implements LimitConfig {}
}
