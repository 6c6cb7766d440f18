package dev.penstock.bottleneck;

import java.util.List;

/**
 * The current bottleneck of a flow.
 *
 * @param stage the bottleneck stage, by its name in {@code StageReport}; empty when there is none
 * @param sentence the bottleneck, the reason, and how to relieve it, with numbers
 * @param loads the load of each stage, outermost first
 */
public record Bottleneck(String stage, String sentence, List<StageLoad> loads) {
    /** Copies the list of loads. */
    public Bottleneck {
        loads = List.copyOf(loads);
    }
}
