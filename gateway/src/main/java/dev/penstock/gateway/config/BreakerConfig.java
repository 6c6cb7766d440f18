package dev.penstock.gateway.config;

import dev.penstock.breaker.BreakerSettings;

/** When the circuit breaker stops calls to a failing target. */
public sealed interface BreakerConfig {
    /** The defaults of {@link BreakerSettings}. */
    record Automatic() implements BreakerConfig {}

    /** No breaker. */
    record Off() implements BreakerConfig {}

    /**
     * The values of the file, completed with the defaults.
     *
     * @param settings all settings
     */
    record Given(Configured<BreakerSettings> settings) implements BreakerConfig {}
}
