package dev.penstock.lab.probe;

import dev.penstock.lab.report.ProbeNote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The concurrency beyond which the target's throughput no longer grows (the knee).
 *
 * @param points the measurements, in their order
 * @param beyond what happens beyond the knee; null when the measurements do not bracket it: then {@link #knee} is only
 *     the highest concurrency tried
 * @param knee the concurrency beyond which throughput no longer grows
 * @param low lower end of the knee's 95 % confidence interval
 * @param high upper end of that interval
 * @param bestThroughput answers per second at the knee
 * @param worked the highest concurrency that was seen to work without an error, below the lowest with errors
 * @param why the evidence, or why the knee was not reached, in one sentence with its numbers
 */
public record KneeFinding(
        List<ProbeNote.Point> points,
        @Nullable Beyond beyond,
        double knee,
        double low,
        double high,
        double bestThroughput,
        int worked,
        String why) {
    /** What happens beyond the knee. */
    public enum Beyond {
        /** Throughput stays the same, and calls wait. */
        FLAT,
        /** Throughput falls. */
        FALLS,
        /** The target refuses calls. */
        REFUSES
    }

    public KneeFinding {
        points = List.copyOf(points);
    }

    /** Whether the measurements bracket the knee. */
    public boolean reached() {
        return beyond != null;
    }
}
