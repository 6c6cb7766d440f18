package dev.penstock.lab.probe;

import java.time.Duration;

/**
 * What a probe may spend.
 *
 * @param lasting how long it may take; above 0
 * @param maxPerSecond how many calls a second it may make at the most; above 0
 * @param maxConnections how many connections it may have at once; 1 or more
 */
public record ProbeBudget(Duration lasting, double maxPerSecond, int maxConnections) {
    /** What hardly any peer feels: 1 min, 10 calls a second, 32 connections. */
    public static final ProbeBudget CAREFUL = new ProbeBudget(Duration.ofMinutes(1), 10, 32);

    /** Checks what it is given. */
    public ProbeBudget {
        if (lasting.isZero() || lasting.isNegative() || !(maxPerSecond > 0) || maxConnections < 1) {
            throw new IllegalArgumentException(
                    "a probe needs some time (--for), calls a second (--max-rate) and connections (--max-connections)");
        }
    }
}
