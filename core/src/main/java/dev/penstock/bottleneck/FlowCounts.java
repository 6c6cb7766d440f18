package dev.penstock.bottleneck;

import dev.penstock.limit.Plateau;
import dev.penstock.limit.LimitingFactor;
import dev.penstock.meter.Accounting;
import dev.penstock.meter.AttemptMeter.ConnectFailure;
import dev.penstock.meter.StageReport;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * What a flow has counted so far, at one moment. Two of them tell what happened in between.
 *
 * @param nanos the moment, as a reading of a ticker
 * @param account what became of its transactions
 * @param stages what each stage has done, outermost first
 * @param parts where the time of exchanges with the target went, in nanoseconds by part; may be empty
 * @param connections those of the target, by state; may be empty
 * @param limit the limit; null where there is none
 * @param cutOff why the breaker is open; null when it is not
 * @param connecting the attempts that got no connection; null when there was none
 */
public record FlowCounts(
        long nanos,
        Accounting account,
        List<Sum> stages,
        Map<String, Long> parts,
        Map<String, Long> connections,
        @Nullable Bound limit,
        @Nullable String cutOff,
        @Nullable Connecting connecting) {
    /**
     * What one stage has done.
     *
     * @param stage its name
     * @param started how many entered it
     * @param timed how many of them were timed
     * @param nanos the sum of their times
     * @param inFlight how many are in it
     * @param capacity how many it lets in at once; 0 when it sets no bound
     */
    public record Sum(String stage, long started, long timed, double nanos, long inFlight, long capacity) {
        /** The sums of a report. */
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
     * @param permits how many there are for this flow
     * @param ofAll how many there are for all flows that share them
     * @param factor what keeps it from having more
     * @param reason why there are so many
     * @param flat where more in flight gave no more; null when that was not seen
     */
    public record Bound(
            int permits,
            int ofAll,
            LimitingFactor factor,
            String reason,
            @Nullable Plateau flat) {
        /** For a limit that no other flow shares. */
        public Bound(int permits, LimitingFactor factor, String reason, @Nullable Plateau flat) {
            this(permits, permits, factor, reason, flat);
        }
    }

    /**
     * Attempts that got no connection to the target.
     *
     * @param failed how many there were
     * @param last the last one, with its time
     */
    public record Connecting(long failed, ConnectFailure last) {}

    /** Copies what it is given. */
    public FlowCounts {
        stages = List.copyOf(stages);
        parts = Map.copyOf(parts);
        connections = Map.copyOf(connections);
    }
}
