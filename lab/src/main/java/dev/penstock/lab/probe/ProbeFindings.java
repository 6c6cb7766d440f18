package dev.penstock.lab.probe;

import dev.penstock.lab.measure.LoadResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a probe. Parts that were skipped are null.
 *
 * @param where the target, without secrets
 * @param roundTrip sequential calls
 * @param announced the limits announced by the target
 * @param knee the concurrency knee
 * @param idle when idle connections are killed
 * @param batch whether batching pays
 * @param skipped what was skipped and why, a sentence each
 */
public record ProbeFindings(
        String where,
        LoadResult roundTrip,
        List<AnnouncedLimit> announced,
        @Nullable KneeFinding knee,
        @Nullable IdleFinding idle,
        @Nullable BatchFinding batch,
        List<String> skipped) {
    public ProbeFindings {
        announced = List.copyOf(announced);
        skipped = List.copyOf(skipped);
    }
}
