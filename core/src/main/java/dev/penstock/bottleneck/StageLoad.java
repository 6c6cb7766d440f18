package dev.penstock.bottleneck;

/**
 * How much a stage had to do, of late.
 *
 * @param stage its name
 * @param arrivalsPerSecond how many came
 * @param serviceMillis how long it took for each, its own waiting among it; 0 when nothing is known
 * @param inFlight how many are in it now
 * @param queued how many wait before it
 * @param utilisation the share of its capacity that is taken, 0 to 1; 0 when it sets no bound
 * @param ofLatency the share of a transaction's time that is spent there, 0 to 1
 */
public record StageLoad(
        String stage,
        double arrivalsPerSecond,
        double serviceMillis,
        double inFlight,
        long queued,
        double utilisation,
        double ofLatency) {}
