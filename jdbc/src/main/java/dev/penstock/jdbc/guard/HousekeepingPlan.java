package dev.penstock.jdbc.guard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides what to do with each idle connection. Immutable, without side effects.
 *
 * @param warm the number of connections to keep ready, including those in use
 * @param inUse the number of connections in use
 * @param kills whether an idle timeout is known
 * @param trusted the idle age up to which a connection needs no validation, in nanoseconds
 * @param keepAliveAt the idle age at which a connection is kept alive, in nanoseconds
 * @param testAt the idle age at which a connection is tested, in nanoseconds
 * @param maxAge the maximum lifetime of a connection, in nanoseconds
 */
record HousekeepingPlan(int warm, int inUse, boolean kills, long trusted, long keepAliveAt, long testAt, long maxAge) {
    /** Surplus connections unused for this time are closed, in nanoseconds (10 min). */
    static final long UNUSED = 600_000_000_000L;

    /** What to do with a connection. */
    enum Care {
        /** Check the socket for a close, without a round trip. */
        PEEK,
        /** A round trip, to reset idle timers in the network. */
        KEEP_ALIVE,
        /** A round trip, to find out whether a connection of this idle age is alive. */
        TEST,
        /** Replace it: it is too old, or closed. */
        RENEW,
        /** Close it: it is not needed. */
        RETIRE
    }

    /**
     * An idle connection, or an entry whose connection is closed.
     *
     * @param idle the time since the last round trip, in nanoseconds
     * @param unused the time since the last use by a caller, in nanoseconds
     * @param age the time since it was opened, in nanoseconds
     * @param isOpen false for an entry without a connection
     */
    record Idle<S>(S slot, long idle, long unused, long age, boolean isOpen) {}

    record Task<S>(S slot, Care care) {}

    /** The tasks for now, at most one for each connection. The most recently used ones are kept warm. */
    <S> List<Task<S>> tasks(List<Idle<S>> all) {
        List<Idle<S>> open = new ArrayList<>(all.stream()
                .filter(Idle::isOpen)
                .sorted(Comparator.comparingLong(Idle::unused))
                .toList());
        int ready = Math.max(0, warm - inUse);
        Idle<S> oldest = open.stream().max(Comparator.comparingLong(Idle::idle)).orElse(null);
        Idle<S> tested = oldest != null && oldest.idle >= testAt ? oldest : null;
        List<Task<S>> tasks = new ArrayList<>();
        for (int index = 0; index < open.size(); index++) {
            Idle<S> one = open.get(index);
            tasks.add(new Task<>(one.slot, one.equals(tested) ? Care.TEST : care(one, index < ready)));
        }
        all.stream()
                .filter(one -> !one.isOpen)
                .limit(Math.max(0, ready - open.size()))
                .forEach(one -> tasks.add(new Task<>(one.slot, Care.RENEW)));
        return tasks;
    }

    private Care care(Idle<?> one, boolean isWarm) {
        if (one.age >= maxAge) {
            return isWarm ? Care.RENEW : Care.RETIRE;
        }
        if (!isWarm && (one.unused >= UNUSED || (kills && one.idle >= Math.min(trusted, keepAliveAt)))) {
            return Care.RETIRE;
        }
        return isWarm && one.idle >= keepAliveAt ? Care.KEEP_ALIVE : Care.PEEK;
    }
}
