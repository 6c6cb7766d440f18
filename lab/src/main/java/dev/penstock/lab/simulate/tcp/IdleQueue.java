package dev.penstock.lab.simulate.tcp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Determines which connections have been idle for too long, and when to check next. Pure: times are arguments.
 * <h2>Design note</h2>
 *
 * <p>A byte costs nothing here: it only updates its connection's last-byte time. A connection is queued under its
 * earliest due time; when that time comes and bytes have arrived since, it is queued again under its new due time. So
 * each connection costs one check per idle period, however many bytes it carries, and one thread watches all. This is
 * the usual technique for timers that rarely expire (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels",
 * 1987), here with a tree instead of a wheel, for exact times.
 *
 * <p>Thread-safe.
 *
 * @param <C> a connection, compared by identity or equality
 */
final class IdleQueue<C> {
    /** A position in the queue; the number distinguishes equal due times. */
    private record Place(long at, long number) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            // By the difference, because times may overflow.
            return at == other.at ? Long.compare(number, other.number) : Long.signum(at - other.at);
        }
    }

    private final IdleRule rule;
    private final ToLongFunction<C> lastByte;
    private final TreeMap<Place, C> queue = new TreeMap<>();
    private final Map<C, Place> places = new HashMap<>();
    private long number;

    /**
     * An empty queue.
     *
     * @param rule when a connection is due
     * @param lastByte the time of a connection's last byte
     */
    IdleQueue(IdleRule rule, ToLongFunction<C> lastByte) {
        this.rule = rule;
        this.lastByte = lastByte;
    }

    synchronized void add(C connection) {
        Place place = new Place(lastByte.applyAsLong(connection) + rule.nanos(), number++);
        places.put(connection, place);
        queue.put(place, connection);
    }

    /** Removes a connection; no effect when absent. */
    synchronized void remove(C connection) {
        Place place = places.remove(connection);
        if (place != null) {
            queue.remove(place);
        }
    }

    /** Removes and returns the connections that are due. */
    synchronized List<C> due(long now) {
        List<C> due = new ArrayList<>();
        while (!queue.isEmpty() && queue.firstKey().at() - now <= 0) {
            C first = queue.firstEntry().getValue();
            remove(first);
            if (rule.due(lastByte.applyAsLong(first), now)) {
                due.add(first);
            } else {
                add(first);
            }
        }
        return due;
    }

    /** The time of the next check: nothing is due before, including connections added until then. */
    synchronized long nextCheck(long now) {
        long one = now + rule.nanos();
        return queue.isEmpty() || queue.firstKey().at() - one > 0
                ? one
                : queue.firstKey().at();
    }
}
