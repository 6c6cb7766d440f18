package dev.penstock.gateway.config;

/** The maximum number of concurrent calls of a flow to its target. */
public sealed interface LimitConfig {
    /** Adaptive. */
    record Automatic() implements LimitConfig {}

    /**
     * A fixed limit.
     *
     * @param permits 1 to 1,000,000
     */
    record Fixed(Configured<Integer> permits) implements LimitConfig {}

    /**
     * Adaptive within bounds.
     *
     * @param min 1 to {@code max}
     * @param max {@code min} to 1,000,000
     */
    record Bounds(Configured<Integer> min, Configured<Integer> max) implements LimitConfig {}
}
