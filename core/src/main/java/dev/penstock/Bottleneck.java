package dev.penstock;

import dev.penstock.Bottleneck.StageLoad;
import java.util.List;

/**
 * The current bottleneck of a flow.
 *
 * @param stage the bottleneck stage, by its name in {@code StageReport}; empty when there is none
 * @param sentence the bottleneck, the reason, and how to relieve it, with numbers
 * @param loads the load of each stage, outermost first
 */
public record Bottleneck(String stage, String sentence, List<StageLoad> loads) {
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

    /** Copies the list of loads. */
    public Bottleneck {
        loads = List.copyOf(loads);
    }
}
