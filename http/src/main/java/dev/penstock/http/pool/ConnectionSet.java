package dev.penstock.http.pool;

import java.util.Deque;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a pool: all of them, and a queue of the idle ones. A connection is {@linkplain #add added} while it is
 * leased, {@linkplain #giveBack given back} when it is idle, {@linkplain #borrow borrowed} by the next lessee, and
 * {@linkplain #remove removed} when it is closed. Thread-safe.
 *
 * <p>A closed connection stays in the queue until it is polled or swept, because removing it from the middle takes linear time.
 * The state of the connection decides, not the queue.
 */
final class ConnectionSet {
    private final Set<Connection> all = ConcurrentHashMap.newKeySet();
    /** The newest first. */
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

    private final @Nullable ConnectionTotal total;

    ConnectionSet(@Nullable ConnectionTotal total) {
        this.total = total;
    }

    /** Adds a connection that its caller has just opened, and has leased. */
    void add(Connection connection) {
        all.add(connection);
    }

    /** Takes the newest connection out of the queue, which may be closed meanwhile; null if the queue is empty. */
    @Nullable
    Connection borrow() {
        return idle.pollFirst();
    }

    /** Queues a connection that has become idle. */
    void giveBack(Connection connection) {
        idle.addFirst(connection);
    }

    /** Forgets a closed connection. */
    void remove(Connection connection) {
        if (all.remove(connection) && total != null) {
            total.release();
        }
    }

    /** Closes and forgets a connection, leased or not. */
    void drop(Connection connection) {
        connection.close();
        remove(connection);
    }

    /** Returns the idle connection that was used longest ago; null if none is idle. */
    @Nullable
    Connection oldestIdle() {
        for (Connection oldest = idle.peekLast(); oldest != null; oldest = idle.peekLast()) {
            if (oldest.isIdle()) {
                return oldest;
            }
            if (oldest.isClosed()) {
                idle.removeLastOccurrence(oldest);
            }
        }
        return null;
    }

    /** Takes the connection that was used longest ago out of the queue; null if the queue is empty. */
    @Nullable
    Connection borrowOldest() {
        return idle.pollLast();
    }

    /** The queue, the newest first. */
    Iterator<Connection> newestFirst() {
        return idle.iterator();
    }

    /** The queue, the oldest first. */
    Iterator<Connection> oldestFirst() {
        return idle.descendingIterator();
    }

    /** All connections, leased and idle. */
    Iterable<Connection> all() {
        return all;
    }

    int size() {
        return all.size();
    }
}
