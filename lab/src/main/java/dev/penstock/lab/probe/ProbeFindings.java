package dev.penstock.lab.probe;

import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import java.util.List;
import java.util.OptionalInt;
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
 * @param validity whether the target was measured rather than this machine; all reports show this value
 */
public record ProbeFindings(
        String where,
        LoadResult roundTrip,
        List<AnnouncedLimit> announced,
        @Nullable KneeFinding knee,
        @Nullable IdleFinding idle,
        @Nullable BatchFinding batch,
        List<String> skipped,
        Validity validity) {
    public ProbeFindings {
        announced = List.copyOf(announced);
        skipped = List.copyOf(skipped);
    }

    /**
     * The highest concurrency to recommend: it was seen to work without an error, and the peer has that many connections
     * left. Empty when concurrency was not measured.
     */
    public OptionalInt mostConcurrent() {
        return knee == null
                ? OptionalInt.empty()
                : OptionalInt.of(Math.min(knee.worked(), AnnouncedLimit.connections(announced)));
    }

    /** The findings about single calls. */
    ProbeFindings withoutBatches() {
        return new ProbeFindings(where, roundTrip, announced, knee, idle, null, skipped, validity);
    }
}
