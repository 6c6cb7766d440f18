package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.Arrays;

/** What became of the transactions of one run, by slices of virtual time. */
final class Log {
    static final long SLICE = World.SECOND / 2;

    private final int[] useful;
    private final int[] permits;
    private int[] latencies = new int[1024];
    private int answers;

    Log(long nanos) {
        int slices = (int) (nanos / SLICE) + 2;
        useful = new int[slices];
        permits = new int[slices];
    }

    void answered(long now, long nanos) {
        useful[slice(now)]++;
        if (answers == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * answers);
        }
        latencies[answers++] = (int) (nanos / 1_000);
    }

    void permits(long now, int count) {
        permits[slice(now)] = count;
    }

    /** Useful answers in a stretch of time. */
    long useful(long from, long to) {
        return sum(useful, from, to);
    }

    int permitsAt(long time) {
        return permits[slice(time)];
    }

    /** The 99th percentile of the time to an answer, in milliseconds. */
    double p99Millis() {
        if (answers == 0) {
            return 0;
        }
        int[] sorted = Arrays.copyOf(latencies, answers);
        Arrays.sort(sorted);
        return sorted[(int) (0.99 * (answers - 1))] / 1e3;
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
