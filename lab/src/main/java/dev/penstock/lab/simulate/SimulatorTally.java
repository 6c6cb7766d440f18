package dev.penstock.lab.simulate;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The simulator's counters, all under one lock, so that a report is a consistent snapshot and its invariants hold. A
 * request takes the lock twice, for well under a microsecond each.
 *
 * <p>Thread-safe.
 */
final class SimulatorTally {
    /** The side that closed a connection that no fault closed. */
    enum Closer {
        PEER,
        OTHER
    }

    /** How a received request ended. */
    enum End {
        ANSWERED,
        ANSWERED_ERROR,
        CUT,
        UNDELIVERED
    }

    private final int mostIds;
    private final ReceivedIds receivedIds;
    private final Map<Closer, Long> closed = new EnumMap<>(Closer.class);
    private final Map<End, Long> ended = new EnumMap<>(End.class);
    private final Map<Closing, Long> byFault = new EnumMap<>(Closing.class);
    private long accepted;
    private long received;
    private long malformed;
    private long sessions;
    private long resumed;
    private long failed;
    private long duplicates;
    private long without;
    private long withoutApplied;
    private long beyond;

    SimulatorTally(int mostIds) {
        this.mostIds = mostIds;
        this.receivedIds = new ReceivedIds(mostIds);
        for (Closing kind : Closing.values()) {
            byFault.put(kind, 0L);
        }
    }

    synchronized void accepted() {
        accepted++;
    }

    /** Records a connection closed for a reason other than a fault. */
    synchronized void closed(Closer closer) {
        closed.merge(closer, 1L, Long::sum);
    }

    synchronized void closedByFault(Closing how) {
        byFault.merge(how, 1L, Long::sum);
    }

    /** Records an established TLS session. */
    synchronized void handshake(boolean again) {
        sessions++;
        resumed += again ? 1 : 0;
    }

    synchronized void handshakeFailed() {
        failed++;
    }

    synchronized void malformed() {
        malformed++;
    }

    synchronized void received(@Nullable String id, boolean applies) {
        received++;
        if (id == null || id.isEmpty()) {
            without++;
            withoutApplied += applies ? 1 : 0;
            return;
        }
        switch (receivedIds.receive(id, applies)) {
            case FIRST -> {}
            case AGAIN -> duplicates++;
            case FULL -> beyond++;
        }
    }

    synchronized void ended(End end) {
        ended.merge(end, 1L, Long::sum);
    }

    synchronized SimulatorReport report() {
        long answered = count(End.ANSWERED) + count(End.ANSWERED_ERROR);
        long finished = answered + count(End.CUT) + count(End.UNDELIVERED);
        long faults = byFault.values().stream().mapToLong(Long::longValue).sum();
        long gone = faults + count(Closer.PEER) + count(Closer.OTHER);
        return new SimulatorReport(
                new SimulatorReport.Connections(
                        accepted, accepted - gone, byFault, count(Closer.PEER), count(Closer.OTHER)),
                new SimulatorReport.Requests(
                        received,
                        answered,
                        count(End.ANSWERED_ERROR),
                        count(End.CUT),
                        count(End.UNDELIVERED),
                        received - finished,
                        malformed),
                new SimulatorReport.Ids(
                        receivedIds.size(),
                        duplicates,
                        receivedIds.applied() + withoutApplied,
                        without,
                        beyond,
                        mostIds),
                new SimulatorReport.Tls(sessions, resumed, failed));
    }

    private long count(End end) {
        return ended.getOrDefault(end, 0L);
    }

    private long count(Closer closer) {
        return closed.getOrDefault(closer, 0L);
    }
}
