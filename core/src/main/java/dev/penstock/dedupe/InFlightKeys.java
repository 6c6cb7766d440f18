package dev.penstock.dedupe;

import dev.penstock.Ending;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests with a key that are in progress in this process, one per key. There are no more entries than transactions in
 * flight, so it needs no limit of its own. Safe for many threads.
 */
final class InFlightKeys {
    private final ConcurrentMap<String, InFlightKey> byKey = new ConcurrentHashMap<>();

    /**
     * Registers a request.
     *
     * @return {@code newcomer} if it is the first of its key, otherwise the entry registered before
     */
    InFlightKey enter(String key, InFlightKey newcomer) {
        InFlightKey before = byKey.putIfAbsent(key, newcomer);
        return before == null ? newcomer : before;
    }

    /**
     * Removes and completes the first request of a key. The entry is removed before waiting threads are woken, so that one of
     * them can register.
     *
     * @param ending the ending for all waiting requests; null when it was never sent
     */
    void leave(String key, InFlightKey first, @Nullable Ending ending) {
        byKey.remove(key, first);
        first.complete(ending);
    }

    /** The call that executes the transaction of a key; null for none. */
    @Nullable
    KeyedCall<?, ?> keyedCall(String key) {
        InFlightKey first = byKey.get(key);
        return first == null ? null : first.keyedCall();
    }

    int underWay() {
        return byKey.size();
    }
}
