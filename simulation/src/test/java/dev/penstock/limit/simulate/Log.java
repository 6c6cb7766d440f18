package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What became of the transactions of one run, by slices of virtual time. */
final class Log {
    static final long SLICE = World.SECOND / 2;

    private final int[] useful;
    private final int[] permits;
    private final int[] sent;
    private final int[] refused;
    private final int[] rejected;
    private final int[] late;
    private final long[] heldNanos;
    private final long latenciesFrom;
    private final long usefulNanos;
    private final List<Long> waitsOfRejected = new ArrayList<>();
    private int[] latencies = new int[1024];
    private int answers;

    Log(long nanos) {
        this(nanos, 0, Long.MAX_VALUE);
    }

    /**
     * A log of a run of a length.
     *
     * @param latenciesFrom from when the times of answers count
     * @param usefulNanos an answer that takes longer is of no use
     */
    Log(long nanos, long latenciesFrom, long usefulNanos) {
        this.latenciesFrom = latenciesFrom;
        this.usefulNanos = usefulNanos;
        int slices = (int) (nanos / SLICE) + 2;
        useful = new int[slices];
        permits = new int[slices];
        sent = new int[slices];
        refused = new int[slices];
        rejected = new int[slices];
        late = new int[slices];
        heldNanos = new long[slices];
    }

    void answered(long now, long nanos) {
        if (nanos <= usefulNanos) {
            useful[slice(now)]++;
        }
        if (now < latenciesFrom) {
            return;
        }
        if (answers == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * answers);
        }
        latencies[answers++] = (int) (nanos / 1_000);
    }

    void sent(long now) {
        sent[slice(now)]++;
    }

    /** The target has refused one, or failed it, at once. */
    void refused(long now) {
        refused[slice(now)]++;
    }

    /** Its answer did not come before its deadline. */
    void late(long now) {
        late[slice(now)]++;
    }

    /** It was not sent, after it had waited for so long. */
    void rejectedAfter(long waited, long now) {
        rejected[slice(now)]++;
        if (now < World.SECOND) {
            waitsOfRejected.add(waited);
        }
    }

    /** A permit was held for so long. */
    void held(long now, long nanos) {
        heldNanos[slice(now)] += nanos;
    }

    void permits(long now, int count) {
        permits[slice(now)] = count;
    }

    /** Useful answers in a stretch of time. */
    long useful(long from, long to) {
        return sum(useful, from, to);
    }

    long sent(long from, long to) {
        return sum(sent, from, to);
    }

    long refused(long from, long to) {
        return sum(refused, from, to);
    }

    long rejected(long from, long to) {
        return sum(rejected, from, to);
    }

    long late(long from, long to) {
        return sum(late, from, to);
    }

    /** The mean number in flight of what ended in a stretch of time. */
    double inFlight(long from, long to) {
        double sum = 0;
        for (int slice = slice(from); slice < slice(to); slice++) {
            sum += heldNanos[slice];
        }
        return sum / (to - from);
    }

    /** The mean limit. */
    double meanPermits(long from, long to) {
        return (double) sum(permits, from, to) / (slice(to) - slice(from));
    }

    /** The 99th percentile of the time after which those of the first second were rejected, in milliseconds. */
    double firstRejectionsP99Millis() {
        List<Long> sorted = waitsOfRejected.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((int) (0.99 * (sorted.size() - 1))) / 1e6;
    }

    int permitsAt(long time) {
        return permits[slice(time)];
    }

    /** The 99th percentile of the time to an answer, in milliseconds. */
    double p99Millis() {
        return percentileMillis(0.99);
    }

    /** A percentile of the time to an answer, in milliseconds. */
    double percentileMillis(double share) {
        if (answers == 0) {
            return 0;
        }
        int[] sorted = Arrays.copyOf(latencies, answers);
        Arrays.sort(sorted);
        return sorted[(int) (share * (answers - 1))] / 1e3;
    }

    private static long sum(int[] slices, long from, long to) {
        long sum = 0;
        for (int slice = slice(from); slice < slice(to); slice++) {
            sum += slices[slice];
        }
        return sum;
    }

    private static int slice(long time) {
        return (int) (time / SLICE);
    }
}
