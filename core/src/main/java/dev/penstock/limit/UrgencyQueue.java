package dev.penstock.limit;

import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a permit, ordered by urgency; among equals {@linkplain CallerTurns callers take turns}, and each caller's
 * are ordered by arrival. No threads and no clock: the time, the number of permits and the {@link QueuePolicy} are passed to each
 * call.
 *
 * <p>It never serves a request that cannot meet its deadline, and holds no more requests than the policy allows. If a request delays
 * another that is less urgent, or of a caller with more, so much that it cannot be served in time, the last of these is shed. Not
 * thread-safe, except {@link #ahead}.
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
        /** Equal for all requests of one caller. */
        final Object caller;

        Entry(long arrival, long allowed, int urgency) {
            this(arrival, allowed, urgency, ONE_CALLER);
        }

        Entry(long arrival, long allowed, int urgency, Object caller) {
            this.arrival = arrival;
            this.allowed = allowed;
            this.urgency = urgency;
            this.caller = caller;
        }

        /** The reading at which its maximum wait ends. */
        long dueAt(QueuePolicy policy) {
            return arrival + policy.maxWaitNanos(allowed);
        }
    }

    /** The number of waiting requests, and since when there have been some, except for moments (only meaningful while there are). */
    record QueueState(int size, long notEmptySince) {
        static final QueueState EMPTY = new QueueState(0, 0);

        /** Whether the queue has not been empty for so long that it is not a burst. */
        boolean isStanding(long now, QueuePolicy policy) {
            return size > 0 && policy.isStanding(now - notEmptySince);
        }
    }

    /** The caller of all requests whose callers are not known. */
    static final Object ONE_CALLER = "";

    private final List<CallerTurns<E>> byUrgency = Stream.generate(CallerTurns<E>::new)
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
        Rejected.Cause why = policy.rejects(ahead(entry), permits, entry.allowed, standing);
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
        E last = byUrgency.get(leastUrgent()).last();
        if (isServedBefore(entry, last)
                && before.size() >= policy.maxAhead(permits, last.dueAt(policy) - now, standing)) {
            remove(last);
            shed.accept(last);
        }
        return null;
    }

    private boolean isServedBefore(E entry, E last) {
        CallerTurns<E> equals = byUrgency.get(entry.urgency);
        return last.urgency > entry.urgency
                || (last.urgency == entry.urgency && equals.waiting(last.caller) > equals.waiting(entry.caller));
    }

    /** The number of requests that are served before a new one, or slightly more. */
    int ahead(Entry entry) {
        return size(entry.urgency) + byUrgency.get(entry.urgency).ahead(entry.caller);
    }

    /** The number of waiting requests that are more urgent than this. */
    private int size(int urgency) {
        int size = 0;
        for (int i = 0; i < urgency; i++) {
            size += byUrgency.get(i).size();
        }
        return size;
    }

    /** Removes the next request to be served; null if there is none. Drops those ahead of it that cannot meet their deadlines. */
    @Nullable
    E next(long now, QueuePolicy policy, Consumer<? super E> dropped) {
        for (CallerTurns<E> equals : byUrgency) {
            if (equals.size() > 0) {
                lastWaited = now;
                E next = equals.next(first -> first.allowed - (now - first.arrival) < policy.neededNanos(), dropped);
                if (next != null) {
                    return next;
                }
            }
        }
        return null;
    }

    /**
     * Removes the first requests of each urgency and caller whose maximum wait has ended. It stops at the first one that may still wait, so
     * that a call does not scan a long queue: each request is removed once. One behind it that has a shorter deadline wakes by
     * itself, and is not served in any case.
     */
    void prune(long now, QueuePolicy policy, Consumer<? super E> dropped) {
        for (CallerTurns<E> equals : byUrgency) {
            equals.prune(first -> now - first.dueAt(policy) >= 0, first -> {
                lastWaited = now;
                dropped.accept(first);
            });
        }
    }

    /** Removes an entry; false when it is not in the queue. */
    boolean remove(E entry) {
        return byUrgency.get(entry.urgency).remove(entry);
    }

    /** The number of waiting requests. */
    int size() {
        return size(byUrgency.size());
    }

    QueueState state() {
        return new QueueState(size(), notEmptySince);
    }

    private int leastUrgent() {
        int urgency = Prioritized.LEAST_URGENT;
        while (urgency >= 0 && byUrgency.get(urgency).size() == 0) {
            urgency--;
        }
        return urgency;
    }
}
