package dev.penstock.dedupe;

import dev.penstock.Ending;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The transactions with a key that are under way in this process, one for each key. As many as are in flight, so it needs no
 * bound of its own. Safe for many threads.
 */
final class InFlightKeys {
    private final ConcurrentMap<String, InFlightKey> byKey = new ConcurrentHashMap<>();

    /**
     * Comes in.
     *
     * @return the newcomer itself when it is the first, else who was there before
     */
    InFlightKey enter(String key, InFlightKey newcomer) {
        InFlightKey before = byKey.putIfAbsent(key, newcomer);
        return before == null ? newcomer : before;
    }

    /**
     * The first is over. Its place is free before anybody is woken, so that one of those can take it.
     *
     * @param ending for all who waited; null when it was never sent
     */
    void leave(String key, InFlightKey first, @Nullable Ending ending) {
        byKey.remove(key, first);
        first.over(ending);
    }

    /** Who carries the transaction of a key; null for nobody. */
    @Nullable
    KeyedCall<?, ?> keyedCall(String key) {
        InFlightKey first = byKey.get(key);
        return first == null ? null : first.keyedCall();
    }

    int underWay() {
        return byKey.size();
    }
}
