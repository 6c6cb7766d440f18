package dev.penstock.bottleneck;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Remembers readings of a flow for a while, so that what is told is of late. Readings are kept as well as somebody looks: who
 * looks once a second is told of the last 10 s, who looks for the first time of all that has been. So nothing is noted on
 * the way of a transaction.
 *
 * <p>Safe for many threads.
 */
public final class RecentFlowCounts {
    private static final long BACK_NANOS = 10_000_000_000L;
    private static final long APART_NANOS = 900_000_000L;
    private static final int MOST = (int) (BACK_NANOS / APART_NANOS) + 2;

    private final Deque<FlowCounts> kept = new ArrayDeque<>(MOST);

    /**
     * Begins with a reading.
     *
     * @param first of the flow, best before it has carried anything
     */
    public RecentFlowCounts(FlowCounts first) {
        kept.add(first);
    }

    /** What binds, from the oldest reading that is not too old to this one. */
    public synchronized Bottleneck look(FlowCounts now) {
        while (kept.size() > 1 && second().nanos() - (now.nanos() - BACK_NANOS) <= 0) {
            kept.removeFirst();
        }
        Bottleneck found = BottleneckFinder.between(kept.getFirst(), now);
        if (now.nanos() - kept.getLast().nanos() >= APART_NANOS) {
            kept.addLast(now);
        }
        return found;
    }

    private FlowCounts second() {
        var readings = kept.iterator();
        readings.next();
        return readings.next();
    }
}
