package dev.penstock.limit;

import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a permit, ordered by urgency, then by arrival. No threads and no clock: the time, the number of
 * permits and the {@link QueuePolicy} are passed to each call.
 *
 * <p>It never serves a request that cannot meet its deadline, and holds no more requests than the policy allows. If a more
 * urgent request delays a less urgent one so much that it cannot be served in time, the last of the least urgent is shed.
 *
 * <p>Not thread-safe.
 *
 * @param <E> the type of the entries
 */
final class UrgencyQueue<E extends UrgencyQueue.Entry> {
    /** A waiting request. Each is in a queue at most once. */
    abstract static class Entry {
        private final long arrival;
        private final long allowed;
        private final int urgency;

        /**
         * A request that arrives.
         *
         * @param arrival the reading of the ticker at its arrival
         * @param allowed the time from then to its deadline, in nanoseconds; {@link QueuePolicy#NO_DEADLINE} or more for none
         * @param urgency 0, the most urgent, to 7
         */
        Entry(long arrival, long allowed, int urgency) {
            this.arrival = arrival;
            this.allowed = allowed;
            this.urgency = urgency;
        }

        long arrival() {
            return arrival;
        }

        long allowed() {
            return allowed;
        }

        int urgency() {
            return urgency;
        }

        /** The reading at which its maximum wait ends. */
        long dueAt(QueuePolicy policy) {
            return arrival + policy.maxWaitNanos(allowed);
        }

        boolean canMeetDeadline(long now, QueuePolicy policy) {
            return allowed - (now - arrival) >= policy.neededNanos();
        }
    }

    private final List<SequencedSet<E>> byUrgency = new ArrayList<>();
    private int size;
    private boolean begun;
    private long lastWaited;
    private long notEmptySince;

    UrgencyQueue() {
        for (int urgency = 0; urgency <= Prioritized.LEAST_URGENT; urgency++) {
            byUrgency.add(new LinkedHashSet<>());
        }
    }

    /**
     * Queues a request that found no permit free.
     *
     * @param shed receives the entry that is displaced by this one, if any
     * @return the cause of rejection, or null when it was queued
     */
    Rejected.@Nullable Cause offer(E entry, int permits, QueuePolicy policy, Consumer<? super E> shed) {
        long now = entry.arrival();
        boolean standing = isStanding(now, policy);
        Rejected.Cause why = policy.rejects(ahead(entry.urgency()), permits, entry.allowed(), standing);
        if (why != null) {
            return why;
        }
        if (size == 0 && (!begun || policy.isStanding(now - lastWaited))) {
            // A queue that was empty only for a moment, for instance after a few more permits, still counts as
            // standing.
            notEmptySince = now;
        }
        begun = true;
        lastWaited = now;
        byUrgency.get(entry.urgency()).add(entry);
        size++;
        E last = last();
        if (last.urgency() > entry.urgency() && !hasRoom(last, now, permits, policy, standing)) {
            remove(last);
            shed.accept(last);
        }
        return null;
    }

    /** The number of requests ahead of a new one of this urgency. */
    private int ahead(int urgency) {
        int ahead = 0;
        for (int each = 0; each <= urgency; each++) {
            ahead += byUrgency.get(each).size();
        }
        return ahead;
    }

    private boolean hasRoom(E last, long now, int permits, QueuePolicy policy, boolean standing) {
        return size - 1 < policy.maxAhead(permits, last.dueAt(policy) - now, standing);
    }

    /**
     * Removes and returns the next request to be served.
     *
     * @param dropped receives the requests ahead of it that can no longer meet their deadlines; they are removed
     * @return null when the queue is empty
     */
    @Nullable
    E next(long now, QueuePolicy policy, Consumer<? super E> dropped) {
        while (size > 0) {
            E first = first();
            remove(first);
            lastWaited = now;
            if (first.canMeetDeadline(now, policy)) {
                return first;
            }
            dropped.accept(first);
        }
        return null;
    }

    /**
     * Removes the first requests of each urgency whose maximum wait has ended. It stops at the first one that may still wait, so
     * that a call does not scan a long queue: each request is removed once. One behind it that has a shorter deadline wakes by
     * itself, and is not served in any case.
     */
    void prune(long now, QueuePolicy policy, Consumer<? super E> dropped) {
        for (SequencedSet<E> equals : byUrgency) {
            while (!equals.isEmpty() && now - equals.getFirst().dueAt(policy) >= 0) {
                E due = equals.removeFirst();
                size--;
                lastWaited = now;
                dropped.accept(due);
            }
        }
    }

    /** Removes an entry; false when it is not in the queue. */
    boolean remove(E entry) {
        boolean stood = byUrgency.get(entry.urgency()).remove(entry);
        size -= stood ? 1 : 0;
        return stood;
    }

    /** The number of waiting requests. */
    int size() {
        return size;
    }

    /** Since when the queue has not been empty, except for moments; only meaningful while it is not empty. */
    long notEmptySince() {
        return notEmptySince;
    }

    /** Whether the queue has not been empty for so long that it is not a burst. */
    boolean isStanding(long now, QueuePolicy policy) {
        return size > 0 && policy.isStanding(now - notEmptySince);
    }

    /** The urgency of the least urgent waiting request; -1 when there is none. */
    int leastUrgent() {
        int urgency = Prioritized.LEAST_URGENT;
        while (urgency >= 0 && byUrgency.get(urgency).isEmpty()) {
            urgency--;
        }
        return urgency;
    }

    private E first() {
        int urgency = 0;
        while (byUrgency.get(urgency).isEmpty()) {
            urgency++;
        }
        return byUrgency.get(urgency).getFirst();
    }

    private E last() {
        return byUrgency.get(leastUrgent()).getLast();
    }
}
