package dev.penstock.bottleneck;

import java.util.List;

/**
 * What holds a flow back, of late.
 *
 * @param stage the stage that binds, by its name in {@code StageReport}; empty when none does
 * @param sentence which one, why, and what would move it, with its numbers
 * @param loads how much each stage has to do, outermost first
 */
public record Bottleneck(String stage, String sentence, List<StageLoad> loads) {
    /** Copies the list. */
    public Bottleneck {
        loads = List.copyOf(loads);
    }
}
