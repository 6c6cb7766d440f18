package dev.penstock.bottleneck;

import dev.penstock.Bottleneck;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps recent counts of a flow, so that the bottleneck is found over the last 10 s. Counts are only recorded when the
 * bottleneck is asked for, which costs nothing on the path of a transaction: if it is asked for once a second, it covers the
 * last 10 s; the first time it covers the whole run.
 *
 * <p>Thread-safe.
 */
public final class RecentFlowCounts {
    private static final long WINDOW_NANOS = 10_000_000_000L;
    private static final long INTERVAL_NANOS = 900_000_000L;
    private static final int MOST = (int) (WINDOW_NANOS / INTERVAL_NANOS) + 2;

    private final Deque<FlowCounts> kept = new ArrayDeque<>(MOST);

    /**
     * Starts with the first counts.
     *
     * @param first the counts of the flow, preferably before its first transaction
     */
    public RecentFlowCounts(FlowCounts first) {
        kept.add(first);
    }

    /** The bottleneck between the oldest counts of the last 10 s and these. */
    public synchronized Bottleneck bottleneck(FlowCounts now) {
        while (kept.size() > 1 && second().nanos() - (now.nanos() - WINDOW_NANOS) <= 0) {
            kept.removeFirst();
        }
        Bottleneck found = BottleneckFinder.between(kept.getFirst(), now);
        if (now.nanos() - kept.getLast().nanos() >= INTERVAL_NANOS) {
            kept.addLast(now);
        }
        return found;
    }

    private FlowCounts second() {
        var counts = kept.iterator();
        counts.next();
        return counts.next();
    }
}
