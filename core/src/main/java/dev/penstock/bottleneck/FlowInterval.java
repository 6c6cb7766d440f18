package dev.penstock.bottleneck;

import dev.penstock.Bottleneck.StageLoad;
import dev.penstock.bottleneck.FlowCounts.Sum;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The activity of a flow between two moments. Times are the sums over transactions that ended in the interval; their shares
 * show where the time of transactions was spent.
 *
 * @param before the counts at the start
 * @param now the counts at the end
 */
record FlowInterval(FlowCounts before, FlowCounts now) {
    /** Stages inside the collapse stage: their times are per call. */
    private static final Set<String> BY_CALL = Set.of("queue", "target");

    private static final Sum NOTHING = new Sum("", 0, 0, 0, 0, 0);

    double seconds() {
        return (now.nanos() - before.nanos()) / 1e9;
    }

    long offered() {
        return now.account().offered() - before.account().offered();
    }

    /** The number of transactions rejected for these causes. */
    long rejected(String... causes) {
        long count = 0;
        for (String cause : causes) {
            count += rejected(now, cause) - rejected(before, cause);
        }
        return count;
    }

    private static long rejected(FlowCounts reading, String cause) {
        Map<String, Long> byCause = reading.account().causes().getOrDefault("rejected", Map.of());
        return byCause.getOrDefault(cause, 0L);
    }

    /** The number of attempts that could not connect. */
    long connectFailures() {
        return connectFailures(now) - connectFailures(before);
    }

    private static long connectFailures(FlowCounts reading) {
        return reading.connecting() == null ? 0 : reading.connecting().failed();
    }

    double perSecond(double count) {
        return seconds() <= 0 ? 0 : count / seconds();
    }

    List<StageLoad> loads() {
        return now.stages().stream().map(this::load).toList();
    }

    private StageLoad load(Sum stage) {
        Sum past = in(before, stage.stage());
        long queued = stage.stage().equals("target") ? now.connections().getOrDefault("pending", 0L) : 0;
        return new StageLoad(
                stage.stage(),
                perSecond((double) (stage.started() - past.started())),
                meanNanos(stage.stage()) / 1e6,
                stage.inFlight(),
                stage.stage().equals("queue") ? stage.inFlight() : queued,
                stage.capacity() == 0 ? 0 : Math.clamp(meanInFlight(stage, past) / stage.capacity(), 0, 1),
                share(stage.stage()));
    }

    double meanInFlight(String stage) {
        return meanInFlight(in(now, stage), in(before, stage));
    }

    /** By Little's law if most calls began and ended within the interval; otherwise the mean of its start and end. */
    private double meanInFlight(Sum stage, Sum past) {
        double mean = meanNanos(stage.stage());
        double length = (double) now.nanos() - before.nanos();
        return mean > 0 && mean < length / 4
                ? (stage.nanos() - past.nanos()) / length
                : (stage.inFlight() + past.inFlight()) / 2.0;
    }

    private static Sum in(FlowCounts reading, String stage) {
        for (Sum sum : reading.stages()) {
            if (sum.stage().equals(stage)) {
                return sum;
            }
        }
        return NOTHING;
    }

    @Nullable
    Sum stage(String stage) {
        Sum found = in(now, stage);
        return found.equals(NOTHING) ? null : found;
    }

    long started(String stage) {
        return in(now, stage).started() - in(before, stage).started();
    }

    /** The total time of the transactions or calls that left a stage. */
    double nanos(String stage) {
        return in(now, stage).nanos() - in(before, stage).nanos();
    }

    /** The mean time of the transactions or calls that left a stage; 0 when none did. */
    double meanNanos(String stage) {
        long timed = in(now, stage).timed() - in(before, stage).timed();
        return timed <= 0 ? 0 : nanos(stage) / timed;
    }

    /** The share of transaction time spent in a stage; the time of a batch call counts for each of its requests. */
    double share(String stage) {
        return ofAll(nanos(stage) * (BY_CALL.contains(stage) ? requestsPerCall() : 1));
    }

    /** The mean number of requests per call: 1 without collapse. */
    private double requestsPerCall() {
        long calls = started("target");
        return stage("collapse") == null || calls <= 0 ? 1 : Math.max(1, (double) started("collapse") / calls);
    }

    /** The share of transaction time spent in some phases of the exchanges. */
    double partShare(String... parts) {
        long nanos = 0;
        for (String part : parts) {
            nanos += now.parts().getOrDefault(part, 0L) - before.parts().getOrDefault(part, 0L);
        }
        return ofAll(nanos * requestsPerCall());
    }

    private double ofAll(double nanos) {
        double all = nanos("flow");
        return all <= 0 ? 0 : Math.clamp(nanos / all, 0, 1);
    }
}
