package dev.penstock.bottleneck;

/**
 * The recent load of a stage.
 *
 * @param stage its name
 * @param arrivalsPerSecond the arrival rate
 * @param serviceMillis the mean time in the stage, in milliseconds, including its waits; 0 when not known
 * @param inFlight the number now in it
 * @param queued the number waiting for it
 * @param utilisation the used share of its capacity, 0 to 1; 0 when unlimited
 * @param ofLatency its share of the latency of a transaction, 0 to 1
 */
public record StageLoad(
        String stage,
        double arrivalsPerSecond,
        double serviceMillis,
        double inFlight,
        long queued,
        double utilisation,
        double ofLatency) {}
