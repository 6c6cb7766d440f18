package dev.penstock.jdbc.guard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Decides what is done for each connection that nobody uses. Pure.
 *
 * @param warm how many are to be ready, those in use included
 * @param inUse how many are in use
 * @param kills whether anything on the way is known to kill
 * @param trusted the age up to which a connection needs no look, nanoseconds
 * @param keepAliveAt the age at which to keep one alive, nanoseconds
 * @param frontier the age at which to test one, nanoseconds
 * @param maxAge how long a connection is kept at most, nanoseconds
 */
record HousekeepingPlan(int warm, int inUse, boolean kills, long trusted, long keepAliveAt, long frontier, long maxAge) {
    /** What nobody has used for that long is closed, when more are open than are kept warm; nanoseconds. */
    static final long UNUSED = 600_000_000_000L;

    /** What to do for a connection. */
    enum Care {
        /** Look whether the other end has closed it: no round trip. */
        PEEK,
        /** A round trip, so that nothing on the way forgets it. */
        KEEP_ALIVE,
        /** A round trip, to find out whether one that old lives. */
        TEST,
        /** Another in its place: it is too old, or gone. */
        RENEW,
        /** Close it: it is not needed. */
        RETIRE
    }

    /**
     * A connection that nobody uses, or a place whose connection is closed.
     *
     * @param idle how long nothing went over it, nanoseconds
     * @param unused how long nobody has used it, nanoseconds
     * @param age how long it is open, nanoseconds
     * @param isOpen false for a place without a connection
     */
    record Idle<S>(S slot, long idle, long unused, long age, boolean isOpen) {}

    record Task<S>(S slot, Care care) {}

    /** What to do now, for each at most one thing. Those that were used last are the warm ones. */
    <S> List<Task<S>> tasks(List<Idle<S>> all) {
        List<Idle<S>> open = new ArrayList<>(all.stream()
                .filter(Idle::isOpen)
                .sorted(Comparator.comparingLong(Idle::unused))
                .toList());
        int ready = Math.max(0, warm - inUse);
        Idle<S> oldest = open.stream().max(Comparator.comparingLong(Idle::idle)).orElse(null);
        Idle<S> tested = oldest != null && oldest.idle >= frontier ? oldest : null;
        List<Task<S>> tasks = new ArrayList<>();
        for (int place = 0; place < open.size(); place++) {
            Idle<S> one = open.get(place);
            tasks.add(new Task<>(one.slot, one.equals(tested) ? Care.TEST : care(one, place < ready)));
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
