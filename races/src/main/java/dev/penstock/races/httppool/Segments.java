package dev.penstock.races.httppool;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.FaultSchedule;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts transactions without a correct answer by the way of closing in effect. The load is divided into segments, each
 * from the opening of one window to the opening of the next; what ends in a segment counts for its window's way, and
 * what ends before the first window for none. Pure: times are arguments.
 *
 * <p>Thread-safe.
 */
final class Segments implements EndListener {
    private final FaultSchedule windows;
    private final List<Closing> ways;
    private final long warmUpNanos;
    private final Map<Closing, LongAdder> errors = new EnumMap<>(Closing.class);
    private final Map<Closing, LongAdder> unknown = new EnumMap<>(Closing.class);
    private volatile long loadStart;

    /**
     * Nothing counted yet.
     *
     * @param windows when connections are closed
     * @param ways the ways, in the simulator's rotation
     * @param warmUp of the load
     */
    Segments(FaultSchedule windows, List<Closing> ways, Duration warmUp) {
        this.windows = windows;
        this.ways = List.copyOf(ways);
        this.warmUpNanos = warmUp.toNanos();
        for (Closing way : Closing.values()) {
            errors.put(way, new LongAdder());
            unknown.put(way, new LongAdder());
        }
    }

    @Override
    public void begins(long windowStart) {
        loadStart = windowStart - warmUpNanos;
    }

    @Override
    public void ended(Outcome outcome, long intended, long start, long end) {
        Closing way = way(end - loadStart);
        if (way != null && outcome != Outcome.RIGHT) {
            Objects.requireNonNull(errors.get(way)).increment();
            if (outcome.ending().equals("unknown")) {
                Objects.requireNonNull(unknown.get(way)).increment();
            }
        }
    }

    /** The way of the segment of this time; null before the first. */
    private @Nullable Closing way(long nanos) {
        long segment = nanos / windows.every().toNanos();
        return segment < 1 ? null : ways.get((int) ((segment - 1) % ways.size()));
    }

    /**
     * {@code errors_header} and so on: transactions without a correct answer in the segments of that way.
     * {@code stale_used}: transactions with an unknown ending in the segments of all ways except cut. There the
     * simulator answers everything it has received, so each of them was sent over a connection already closed or
     * closing. Requests that a client silently retries are not included. Ways that the block did not have are absent.
     */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        double stale = 0;
        for (Closing way : ways) {
            metrics.put("errors_" + way.word(), (double) sum(errors, way));
            stale += way == Closing.CUT ? 0 : sum(unknown, way);
        }
        metrics.put("stale_used", stale);
        return metrics;
    }

    private static long sum(Map<Closing, LongAdder> counts, Closing way) {
        return Objects.requireNonNull(counts.get(way)).sum();
    }
}
