package dev.penstock.bottleneck;

import dev.penstock.Accounting;
import dev.penstock.StageReport;
import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.LimitController.Plateau;
import dev.penstock.meter.AttemptMeter.ConnectFailure;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The counts of a flow at one moment. The difference of two shows what happened in between.
 *
 * @param nanos the moment, as a reading of a ticker
 * @param account the transactions by ending
 * @param stages the counts of each stage, outermost first
 * @param parts the time of exchanges with the target by phase, in nanoseconds; may be empty
 * @param connections the connections of the target, by state; may be empty
 * @param limit the limit; null when there is none
 * @param cutOff why the breaker is open; null when it is not
 * @param connecting the connect failures; null when there was none
 * @param errors the classes of error answers that are more frequent than usual, in one sentence; empty when none is
 */
public record FlowCounts(
        long nanos,
        Accounting account,
        List<Sum> stages,
        Map<String, Long> parts,
        Map<String, Long> connections,
        @Nullable Bound limit,
        @Nullable String cutOff,
        @Nullable Connecting connecting,
        String errors) {
    /**
     * The counts of one stage.
     *
     * @param stage its name
     * @param started the number of transactions or calls that entered it
     * @param timed how many of them were timed
     * @param nanos the sum of their times
     * @param inFlight the number now in it
     * @param capacity the maximum number in it; 0 when unlimited
     */
    public record Sum(String stage, long started, long timed, double nanos, long inFlight, long capacity) {
        /** The counts of a report. */
        public static Sum of(StageReport report) {
            Histogram times = report.times();
            long timed = times.getTotalCount();
            return new Sum(
                    report.stage(),
                    report.started(),
                    timed,
                    timed == 0 ? 0 : timed * times.getMean(),
                    report.inFlight(),
                    report.capacity());
        }
    }

    /**
     * The limit.
     *
     * @param permits the number of permits for this flow
     * @param ofAll the number of permits for all flows that share them
     * @param factor what keeps the limit from growing
     * @param reason the reason for the current number of permits
     * @param plateau the range in which more in flight gave no more answers; null when none was seen
     */
    public record Bound(
            int permits,
            int ofAll,
            LimitingFactor factor,
            String reason,
            @Nullable Plateau plateau) {}

    /**
     * Attempts that could not connect to the target.
     *
     * @param failed the number of such attempts
     * @param last the last one, with its time
     */
    public record Connecting(long failed, ConnectFailure last) {}

    /** Copies the collections. */
    public FlowCounts {
        stages = List.copyOf(stages);
        parts = Map.copyOf(parts);
        connections = Map.copyOf(connections);
    }
}
