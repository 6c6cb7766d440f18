package dev.penstock.lab.simulate.tcp;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Which connections are to be killed for being idle, and when to look again. Pure: readings go in, connections come out.
 *
 * <h2>Design note</h2>
 *
 * <p>A byte costs nothing here: it moves only its connection's own time of the last byte. A connection waits in line under
 * the time at which it would have been due; when that time comes and bytes have come since, it goes back in line under its
 * new one. So each costs one look in an idle period, however many bytes it carries, and one thread watches all of them. This
 * is how timers are kept that mostly do not fire (Varghese and Lauck, "Hashed and Hierarchical Timing Wheels", 1987, call
 * them so); a tree in place of a wheel, for it is exact.
 *
 * <p>Safe for many threads.
 *
 * @param <C> a connection, itself by identity or equality
 */
final class IdleQueue<C> {
    /** A place in line; the number tells apart those who are due together. */
    private record Place(long at, long number) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            // By the difference: readings may overflow.
            return at == other.at ? Long.compare(number, other.number) : Long.signum(at - other.at);
        }
    }

    private final IdleRule rule;
    private final ToLongFunction<C> lastByte;
    private final TreeMap<Place, C> line = new TreeMap<>();
    private final Map<C, Place> places = new HashMap<>();
    private long number;

    /**
     * An empty queue.
     *
     * @param rule when a connection is due
     * @param lastByte the reading at which a connection's last byte came
     */
    IdleQueue(IdleRule rule, ToLongFunction<C> lastByte) {
        this.rule = rule;
        this.lastByte = lastByte;
    }

    synchronized void add(C connection) {
        Place place = new Place(lastByte.applyAsLong(connection) + rule.nanos(), number++);
        places.put(connection, place);
        line.put(place, connection);
    }

    /** Forgets it; nothing happens when it is not there. */
    synchronized void remove(C connection) {
        Place place = places.remove(connection);
        if (place != null) {
            line.remove(place);
        }
    }

    /** Those that are due at a reading; they are not in the queue any more. */
    synchronized List<C> due(long now) {
        List<C> due = new ArrayList<>();
        while (!line.isEmpty() && line.firstKey().at() - now <= 0) {
            C first = line.firstEntry().getValue();
            remove(first);
            if (rule.due(lastByte.applyAsLong(first), now)) {
                due.add(first);
            } else {
                add(first);
            }
        }
        return due;
    }

    /** The reading at which to look again: nothing is due before, also of what is added until then. */
    synchronized long nextLook(long now) {
        long one = now + rule.nanos();
        return line.isEmpty() || line.firstKey().at() - one > 0
                ? one
                : line.firstKey().at();
    }
}
