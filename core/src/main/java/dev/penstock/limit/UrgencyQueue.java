package dev.penstock.limit;

import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a permit, ordered by urgency, then by arrival. No threads and no clock: the time, the number of
 * permits and the {@link QueuePolicy} are passed to each call.
 *
 * <p>It never serves a request that cannot meet its deadline, and holds no more requests than the policy allows. If a more
 * urgent request delays a less urgent one so much that it cannot be served in time, the last of the least urgent is shed.
 * Not thread-safe.
 *
 * @param <E> the type of the entries
 */
final class UrgencyQueue<E extends UrgencyQueue.Entry> {
    /** A waiting request. Each is in a queue at most once. */
    abstract static class Entry {
        /** The reading of the ticker at its arrival. */
        final long arrival;
        /** The time from then to its deadline, in nanoseconds; {@link QueuePolicy#NO_DEADLINE} or more for none. */
        final long allowed;
        /** 0, the most urgent, to 7. */
        final int urgency;

        Entry(long arrival, long allowed, int urgency) {
            this.arrival = arrival;
            this.allowed = allowed;
            this.urgency = urgency;
        }

        /** The reading at which its maximum wait ends. */
        long dueAt(QueuePolicy policy) {
            return arrival + policy.maxWaitNanos(allowed);
        }
    }

    /**
     * The number of waiting requests, the urgency of the least urgent (-1 for none), and since when the queue has not been empty,
     * except for moments (only meaningful while it is not empty).
     */
    record QueueState(int size, int leastUrgent, long notEmptySince) {
        static final QueueState EMPTY = new QueueState(0, -1, 0);

        /** Whether the queue has not been empty for so long that it is not a burst. */
        boolean isStanding(long now, QueuePolicy policy) {
            return size > 0 && policy.isStanding(now - notEmptySince);
        }

        /** The cause to reject a new request, or null if the queue may take it. */
        Rejected.@Nullable Cause rejects(Entry entry, int permits, QueuePolicy policy) {
            return size > 0 && entry.urgency < leastUrgent
                    ? null
                    : policy.rejects(size, permits, entry.allowed, isStanding(entry.arrival, policy));
        }
    }

    private final List<SequencedSet<E>> byUrgency = Stream.<SequencedSet<E>>generate(LinkedHashSet::new)
            .limit(Prioritized.LEAST_URGENT + 1)
            .toList();
    private boolean begun;
    private long lastWaited;
    private long notEmptySince;

    /** Queues a request, which may displace one, to be shed. Returns the cause of rejection, or null when it was queued. */
    Rejected.@Nullable Cause offer(E entry, int permits, QueuePolicy policy, Consumer<? super E> shed) {
        long now = entry.arrival;
        QueueState before = state();
        boolean standing = before.isStanding(now, policy);
        Rejected.Cause why = policy.rejects(ahead(entry.urgency), permits, entry.allowed, standing);
        if (why != null) {
            return why;
        }
        if (before.size() == 0 && (!begun || policy.isStanding(now - lastWaited))) {
            // A queue that was empty only for a moment, for instance after a few more permits, still counts as
            // standing.
            notEmptySince = now;
        }
        begun = true;
        lastWaited = now;
        byUrgency.get(entry.urgency).add(entry);
        E last = byUrgency.get(leastUrgent()).getLast();
        if (last.urgency > entry.urgency
                && before.size() >= policy.maxAhead(permits, last.dueAt(policy) - now, standing)) {
            remove(last);
            shed.accept(last);
        }
        return null;
    }

    /** The number of requests ahead of a new one of this urgency. */
    private int ahead(int urgency) {
        int ahead = 0;
        for (SequencedSet<E> equals : byUrgency.subList(0, urgency + 1)) {
            ahead += equals.size();
        }
        return ahead;
    }

    /** Removes the next request to be served; null if there is none. Drops those ahead of it that cannot meet their deadlines. */
    @Nullable
    E next(long now, QueuePolicy policy, Consumer<? super E> dropped) {
        for (SequencedSet<E> equals : byUrgency) {
            while (!equals.isEmpty()) {
                E first = equals.removeFirst();
                lastWaited = now;
                if (first.allowed - (now - first.arrival) >= policy.neededNanos()) {
                    return first;
                }
                dropped.accept(first);
            }
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
                lastWaited = now;
                dropped.accept(equals.removeFirst());
            }
        }
    }

    /** Removes an entry; false when it is not in the queue. */
    boolean remove(E entry) {
        return byUrgency.get(entry.urgency).remove(entry);
    }

    /** The number of waiting requests. */
    int size() {
        return ahead(Prioritized.LEAST_URGENT);
    }

    QueueState state() {
        return new QueueState(size(), leastUrgent(), notEmptySince);
    }

    private int leastUrgent() {
        int urgency = Prioritized.LEAST_URGENT;
        while (urgency >= 0 && byUrgency.get(urgency).isEmpty()) {
            urgency--;
        }
        return urgency;
    }
}
