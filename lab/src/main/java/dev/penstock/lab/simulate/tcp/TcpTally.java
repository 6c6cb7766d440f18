package dev.penstock.lab.simulate.tcp;

import dev.penstock.lab.simulate.Closing;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The simulator's counters, all under one lock, so that a report is a consistent snapshot and its invariants hold.
 *
 * <p>Thread-safe.
 */
final class TcpTally {
    /** Why a connection ended that no fault ended. */
    enum Over {
        PEERS,
        UNREACHABLE,
        OTHERWISE
    }

    /** The fate of bytes. */
    enum Fate {
        PASSED,
        BLACKHOLED,
        LOST
    }

    private final Map<IdleKill, Long> killed = new EnumMap<>(IdleKill.class);
    private final Map<Closing, Long> byFault = new EnumMap<>(Closing.class);
    private final Map<Over, Long> over = new EnumMap<>(Over.class);
    private final Map<Way, Long> received = new EnumMap<>(Way.class);
    private final Map<Way, Map<Fate, Long>> fates = new EnumMap<>(Way.class);
    private @Nullable String whyUnreachable;
    private long accepted;
    private long silent;

    TcpTally() {
        for (IdleKill kind : IdleKill.values()) {
            killed.put(kind, 0L);
        }
        for (Closing kind : Closing.values()) {
            byFault.put(kind, 0L);
        }
        for (Way way : Way.values()) {
            fates.put(way, new EnumMap<>(Fate.class));
        }
    }

    synchronized void accepted() {
        accepted++;
    }

    /** Records a connection killed because it was idle; a blackholed one stays open. */
    synchronized void killed(IdleKill how) {
        killed.merge(how, 1L, Long::sum);
        silent += how == IdleKill.BLACKHOLE ? 1 : 0;
    }

    /** Records that a blackholed connection was closed. */
    synchronized void released() {
        silent--;
    }

    synchronized void closedByFault(Closing how) {
        byFault.merge(how, 1L, Long::sum);
    }

    synchronized void over(Over why) {
        over.merge(why, 1L, Long::sum);
    }

    synchronized void unreachable(String why) {
        over(Over.UNREACHABLE);
        whyUnreachable = why;
    }

    synchronized void received(Way way, int bytes) {
        received.merge(way, (long) bytes, Long::sum);
    }

    synchronized void fate(Way way, Fate fate, int bytes) {
        of(way).merge(fate, (long) bytes, Long::sum);
    }

    synchronized TcpReport report() {
        long gone = sum(killed) + sum(byFault) + sum(over);
        return new TcpReport(
                new TcpReport.Connections(
                        accepted,
                        accepted - gone,
                        killed,
                        silent,
                        byFault,
                        over.getOrDefault(Over.PEERS, 0L),
                        over.getOrDefault(Over.UNREACHABLE, 0L),
                        whyUnreachable,
                        over.getOrDefault(Over.OTHERWISE, 0L)),
                bytes(Way.TO_SERVER),
                bytes(Way.TO_CLIENT));
    }

    private TcpReport.Bytes bytes(Way way) {
        Map<Fate, Long> of = of(way);
        long all = received.getOrDefault(way, 0L);
        return new TcpReport.Bytes(
                all,
                of.getOrDefault(Fate.PASSED, 0L),
                of.getOrDefault(Fate.BLACKHOLED, 0L),
                of.getOrDefault(Fate.LOST, 0L),
                all - sum(of));
    }

    private Map<Fate, Long> of(Way way) {
        return fates.computeIfAbsent(way, any -> new EnumMap<>(Fate.class));
    }

    private static long sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
