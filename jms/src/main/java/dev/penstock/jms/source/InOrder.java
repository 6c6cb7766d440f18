package dev.penstock.jms.source;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets messages of one key through one after the other, in the order in which they came. Those without a key pass at once.
 * Pure; not safe for many threads.
 */
final class InOrder {
    private final Map<String, Queue<Held>> busy = new HashMap<>();

    /** Whether a message may begin now; if not, it waits for those of its key before it. */
    boolean mayBegin(Held held) {
        String key = held.orderKey();
        if (key == null) {
            return true;
        }
        Queue<Held> behind = busy.get(key);
        if (behind == null) {
            busy.put(key, new ArrayDeque<>(2));
            return true;
        }
        behind.add(held);
        return false;
    }

    /** The next of the key of one that has ended, which may begin now; null for none. */
    @Nullable
    Held after(Held ended) {
        String key = ended.orderKey();
        Queue<Held> behind = key == null ? null : busy.get(key);
        if (behind == null) {
            return null;
        }
        Held next = behind.poll();
        if (next == null) {
            busy.remove(key);
        }
        return next;
    }

    /**
     * Forgets all that wait, as they will be delivered again; what has begun still keeps its key busy.
     *
     * @param dropped is told of each
     */
    void forgetWaiting(Consumer<Held> dropped) {
        for (Queue<Held> behind : busy.values()) {
            behind.forEach(dropped);
            behind.clear();
        }
    }
}
