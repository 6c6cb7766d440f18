package dev.penstock.limit;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
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

    /** Up to so many requests of each caller are counted exactly. A caller with more is mostly the only one. */
    private static final int COUNTED = 32;

    private final Map<Object, Waiting<E>> byCaller = new ConcurrentHashMap<>();
    /** The next one first. */
    private final SequencedSet<Waiting<E>> turns = new LinkedHashSet<>();

    /** At index {@code i} the number of callers with more than {@code i} requests. */
    private final AtomicIntegerArray callersWithMore = new AtomicIntegerArray(COUNTED);
    /** The callers by their number of requests; at the last index those with as many or more. */
    private final List<LinkedHashSet<Waiting<E>>> bySize =
            Stream.generate(LinkedHashSet<Waiting<E>>::new).limit(COUNTED + 1).toList();

    private volatile int size;

    int size() {
        return size;
    }

    /**
     * The number of requests that are served before a new one of the caller, or slightly more: its own, and of every other caller at most
     * one for each of its turns. The cost does not depend on the number of callers.
     */
    int ahead(Object caller) {
        int turns = waiting(caller) + 1;
        int counted = Math.min(turns, COUNTED);
        long ahead = (long) (turns - counted) * callersWithMore.get(COUNTED - 1);
        for (int i = 0; i < counted; i++) {
            ahead += callersWithMore.get(i);
        }
        return (int) Math.min(size, ahead);
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
        int before = own.size;
        own.size += by;
        size += by;
        int less = Math.min(before, own.size);
        if (less < COUNTED) {
            callersWithMore.addAndGet(less, by);
            bySize.get(before).remove(own);
            bySize.get(own.size).add(own);
            bySize.getFirst().clear();
        }
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

    /** The last request of a caller with the most; there is one. The cost does not depend on the number of callers with few. */
    E last() {
        int most = COUNTED;
        while (bySize.get(most).isEmpty()) {
            most--;
        }
        Waiting<E> own = most < COUNTED
                ? bySize.get(most).getLast()
                : Collections.max(bySize.get(most), Comparator.comparingInt(each -> each.size));
        return own.requests.getLast();
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
