package dev.penstock.lab.probe;

import java.time.Duration;

/**
 * The load that a probe may cause.
 *
 * @param lasting maximum duration; above 0
 * @param maxPerSecond maximum calls per second; above 0
 * @param maxConnections maximum concurrent connections; 1 or more
 */
public record ProbeBudget(Duration lasting, double maxPerSecond, int maxConnections) {
    /** A load negligible for most targets: 1 min, 10 calls per second, 32 connections. */
    public static final ProbeBudget CAREFUL = new ProbeBudget(Duration.ofMinutes(1), 10, 32);

    /** Checks the values. */
    public ProbeBudget {
        if (lasting.isZero() || lasting.isNegative() || !(maxPerSecond > 0) || maxConnections < 1) {
            throw new IllegalArgumentException(
                    "a probe needs a duration (--for), a rate (--max-rate) and connections (--max-connections), each above 0");
        }
    }
}
