package dev.penstock.source;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts messages of the same key one after the other, in the order of their arrival. Messages without a key start
 * immediately. No I/O; not thread-safe.
 *
 * @param <M> the message
 */
public final class KeyOrder<M> {
    private final Map<Object, Queue<M>> busy = new HashMap<>();
    private final Function<M, @Nullable Object> key;

    /**
     * Without messages.
     *
     * @param key of a message; null for none
     */
    public KeyOrder(Function<M, @Nullable Object> key) {
        this.key = key;
    }

    /** Whether a message may start now; otherwise it waits for the earlier messages of its key. */
    public boolean mayStart(M held) {
        Object its = key.apply(held);
        if (its == null) {
            return true;
        }
        Queue<M> behind = busy.get(its);
        if (behind == null) {
            busy.put(its, new ArrayDeque<>(2));
            return true;
        }
        behind.add(held);
        return false;
    }

    /** The next message of the same key, which may start now; null for none. */
    public @Nullable M after(M ended) {
        Object its = key.apply(ended);
        Queue<M> behind = its == null ? null : busy.get(its);
        if (behind == null) {
            return null;
        }
        M next = behind.poll();
        if (next == null && its != null) {
            busy.remove(its);
        }
        return next;
    }

    /**
     * Drops all waiting messages, since they will be delivered again; started messages still block their key.
     *
     * @param dropped called for each dropped message
     */
    public void forgetWaiting(Consumer<M> dropped) {
        for (Queue<M> behind : busy.values()) {
            behind.forEach(dropped);
            behind.clear();
        }
    }
}
