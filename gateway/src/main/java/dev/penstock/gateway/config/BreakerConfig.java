package dev.penstock.gateway.config;

import dev.penstock.breaker.BreakerSettings;

/** When a target that only fails is cut off. */
public sealed interface BreakerConfig {
    /** By the defaults of {@link BreakerSettings}. */
    record Automatic() implements BreakerConfig {}

    /** Never. */
    record Off() implements BreakerConfig {}

    /**
     * As the file says; what it leaves out is as by default.
     *
     * @param settings the whole of them
     */
    record Given(Configured<BreakerSettings> settings) implements BreakerConfig {}
}
