package dev.penstock.jms.source;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts messages of the same key one after the other, in the order of their arrival. Messages without a key start
 * immediately. No I/O; not thread-safe.
 */
final class KeyOrder {
    private final Map<String, Queue<HeldMessage>> busy = new HashMap<>();

    /** Whether a message may start now; otherwise it waits for the earlier messages of its key. */
    boolean mayStart(HeldMessage held) {
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

    /** The next message of the same key, which may start now; null for none. */
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
     * Drops all waiting messages, since they will be delivered again; started messages still block their key.
     *
     * @param dropped called for each dropped message
     */
    void forgetWaiting(Consumer<HeldMessage> dropped) {
        for (Queue<HeldMessage> behind : busy.values()) {
            behind.forEach(dropped);
            behind.clear();
        }
    }
}
