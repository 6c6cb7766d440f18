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
final class KeyOrder {
    private final Map<String, Queue<HeldMessage>> busy = new HashMap<>();

    /** Whether a message may begin now; if not, it waits for those of its key before it. */
    boolean mayBegin(HeldMessage held) {
        String key = held.orderKey();
        if (key == null) {
            return true;
        }
        Queue<HeldMessage> behind = busy.get(key);
        if (behind == null) {
            busy.put(key, new ArrayDeque<>(2));
            return true;
        }
        behind.add(held);
        return false;
    }

    /** The next of the key of one that has ended, which may begin now; null for none. */
    @Nullable
    HeldMessage after(HeldMessage ended) {
        String key = ended.orderKey();
        Queue<HeldMessage> behind = key == null ? null : busy.get(key);
        if (behind == null) {
            return null;
        }
        HeldMessage next = behind.poll();
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
    void forgetWaiting(Consumer<HeldMessage> dropped) {
        for (Queue<HeldMessage> behind : busy.values()) {
            behind.forEach(dropped);
            behind.clear();
        }
    }
}
