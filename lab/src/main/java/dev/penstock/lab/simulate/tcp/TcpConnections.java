package dev.penstock.lab.simulate.tcp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connections that a simulator holds, of which there is a largest number. Blackholed ones are held as long as there is
 * room, since closing one would tell its peers; when a new one needs room, the one that was blackholed first makes it.
 *
 * <p>Safe for many threads.
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

    /** Counts it, and takes it in if there is room, or room can be made; false when not. */
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
            tally.accepted(); // only now, so that whatever is due after it was counted finds it
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

    /** Kills those that were idle for too long at a reading. */
    void killIdle(long now) {
        idle.due(now).forEach(connection -> connection.killIfDue(now));
    }

    /** The reading at which one may be idle for too long. */
    long nextLook(long now) {
        return idle.nextLook(now);
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
