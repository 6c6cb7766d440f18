package dev.penstock.limit;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The waiting requests of one urgency. Callers take turns, each with one request, so a caller that sends many delays another by one of
 * them at most (J. Nagle, RFC 970, 1985). Requests of one caller are served in the order of their arrival.
 *
 * <p>Not thread-safe, except {@link #size} and {@link #ahead}, which may be slightly old on other threads.
 */
final class CallerTurns<E extends UrgencyQueue.Entry> {
    /** The requests of one caller; never empty. */
    private static final class Waiting<E> {
        final SequencedSet<E> requests = new LinkedHashSet<>();
        volatile int size;
    }

    private final Map<Object, Waiting<E>> byCaller = new ConcurrentHashMap<>();
    /** The next one first. */
    private final SequencedSet<Waiting<E>> turns = new LinkedHashSet<>();

    private volatile int size;

    int size() {
        return size;
    }

    /** The number of requests that are served before a new one of the caller, or slightly more. */
    int ahead(Object caller) {
        return (int) Math.min(size, (long) byCaller.size() * (waiting(caller) + 1));
    }

    /** The number of requests of a caller. */
    int waiting(Object caller) {
        Waiting<E> own = byCaller.get(caller);
        return own == null ? 0 : own.size;
    }

    void add(E entry) {
        Waiting<E> own = byCaller.computeIfAbsent(entry.caller, first -> new Waiting<>());
        own.requests.add(entry);
        turns.add(own);
        resized(own, 1);
    }

    boolean remove(E entry) {
        Waiting<E> own = byCaller.get(entry.caller);
        if (own == null || !own.requests.remove(entry)) {
            return false;
        }
        resized(own, -1);
        if (own.requests.isEmpty()) {
            byCaller.remove(entry.caller);
            turns.remove(own);
        }
        return true;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread at a time
    private void resized(Waiting<E> own, int by) {
        own.size = own.requests.size();
        size += by;
    }

    /** Removes the next request to be served, and those ahead of it that are too late; null if there is none. */
    @Nullable
    E next(Predicate<E> isLate, Consumer<? super E> dropped) {
        while (!turns.isEmpty()) {
            Waiting<E> own = turns.getFirst();
            E first = own.requests.getFirst();
            remove(first);
            if (!isLate.test(first)) {
                if (!own.requests.isEmpty()) {
                    turns.addLast(own);
                }
                return first;
            }
            dropped.accept(first);
        }
        return null;
    }

    /** The last request of the caller with the most; there is one. */
    E last() {
        return turns.stream()
                .max(Comparator.comparingInt(own -> own.size))
                .orElseThrow()
                .requests
                .getLast();
    }

    /** Removes the first requests of each caller that are due, up to one that is not. */
    void prune(Predicate<E> isDue, Consumer<? super E> dropped) {
        for (Waiting<E> own : List.copyOf(turns)) {
            while (!own.requests.isEmpty() && isDue.test(own.requests.getFirst())) {
                E first = own.requests.getFirst();
                remove(first);
                dropped.accept(first);
            }
        }
    }
}
