package dev.penstock.lab.probe;

import dev.penstock.lab.measure.LoadResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a probe found. Parts that were not looked for, or for which there was no time, are null.
 *
 * @param where what was probed, without secrets
 * @param roundTrip calls one by one
 * @param announced what the peer says of itself
 * @param knee how many calls at once it takes
 * @param idle when idle connections are killed
 * @param batch whether batching pays
 * @param skipped what was not looked for, and why, a sentence each
 */
public record ProbeFindings(
        String where,
        LoadResult roundTrip,
        List<AnnouncedLimit> announced,
        @Nullable KneeFinding knee,
        @Nullable IdleFinding idle,
        @Nullable BatchFinding batch,
        List<String> skipped) {
    /** Copies the lists. */
    public ProbeFindings {
        announced = List.copyOf(announced);
        skipped = List.copyOf(skipped);
    }
}
