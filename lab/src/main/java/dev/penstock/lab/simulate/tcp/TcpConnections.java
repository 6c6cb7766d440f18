package dev.penstock.lab.simulate.tcp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a simulator, up to a maximum. Blackholed ones are kept open as long as possible, because closing
 * one would notify its peers; when a new connection needs space, the oldest blackholed one is closed.
 *
 * <p>Thread-safe.
 */
final class TcpConnections {
    private final int most;
    private final TcpTally tally;
    private final IdleQueue<TcpConnection> idle;
    private final Set<TcpConnection> open = new HashSet<>();
    private final Set<TcpConnection> silent = new LinkedHashSet<>();

    TcpConnections(int most, IdleRule rule, TcpTally tally) {
        this.most = most;
        this.tally = tally;
        this.idle = new IdleQueue<>(rule, TcpConnection::lastByte);
    }

    /** Counts a connection, and adds it if there is space or space can be made; false otherwise. */
    boolean add(TcpConnection connection) {
        TcpConnection oldest = oldestSilentIfFull();
        if (oldest != null) {
            oldest.abort();
        }
        synchronized (this) {
            boolean room = open.size() + silent.size() < most;
            if (room) {
                open.add(connection);
                idle.add(connection);
            }
            tally.accepted(); // only now, so that faults after the count find the connection
            return room;
        }
    }

    private synchronized @Nullable TcpConnection oldestSilentIfFull() {
        return open.size() + silent.size() < most || silent.isEmpty()
                ? null
                : silent.iterator().next();
    }

    synchronized void silenced(TcpConnection connection) {
        if (open.remove(connection)) {
            silent.add(connection);
        }
        idle.remove(connection);
    }

    synchronized void gone(TcpConnection connection) {
        open.remove(connection);
        silent.remove(connection);
        idle.remove(connection);
    }

    /** Kills connections that have been idle for too long. */
    void killIdle(long now) {
        idle.due(now).forEach(connection -> connection.killIfDue(now));
    }

    /** The time of the next check. */
    long nextCheck(long now) {
        return idle.nextCheck(now);
    }

    synchronized List<TcpConnection> open() {
        return new ArrayList<>(open);
    }

    synchronized List<TcpConnection> all() {
        List<TcpConnection> all = new ArrayList<>(open);
        all.addAll(silent);
        return all;
    }
}
