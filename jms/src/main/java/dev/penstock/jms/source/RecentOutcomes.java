package dev.penstock.jms.source;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages in flight and the recently acknowledged ones, by message id.
 *
 * <h2>Design note</h2>
 *
 * <p>After a lost connection the broker redelivers unacknowledged messages, while their first delivery may still be in
 * process here; and an unconfirmed acknowledgement may be lost with the connection. So a message that is delivered
 * again over a later connection is looked up here: it is not processed again, and its outcome is used to acknowledge
 * the new delivery. The last {@value #RECENT} outcomes are kept; an older message is processed again, as JMS specifies.
 *
 * <p>Thread-safe.
 */
final class RecentOutcomes {
    static final int RECENT = 4_096;

    private final Map<String, HeldMessage> byId = new ConcurrentHashMap<>();
    private final @Nullable HeldMessage[] recent = new @Nullable HeldMessage[RECENT];
    private final Consumer<HeldMessage> forgotten;
    private int next;

    /**
     * Empty.
     *
     * @param forgotten called for each message that is removed
     */
    RecentOutcomes(Consumer<HeldMessage> forgotten) {
        this.forgotten = forgotten;
    }

    /**
     * Adds a received message.
     *
     * @return the earlier delivery with this id over another connection; null for none, and then this one is remembered
     */
    @Nullable
    HeldMessage enter(HeldMessage held) {
        String id = held.id();
        if (id == null) {
            return null;
        }
        HeldMessage before = byId.putIfAbsent(id, held);
        return before != null && before.connectionId() != held.connectionId() && !before.isGivenBack() ? before : null;
    }

    /** The message was acknowledged, or could not be because the connection is lost. */
    void settled(HeldMessage held) {
        HeldMessage oldest;
        synchronized (this) {
            oldest = recent[next];
            recent[next] = held;
            next = (next + 1) % RECENT;
        }
        if (oldest != null && oldest != held) {
            forget(oldest);
        }
    }

    /** The broker has confirmed the acknowledgement, or the message was given back. */
    void forget(HeldMessage held) {
        String id = held.id();
        if (id != null) {
            byId.remove(id, held);
        }
        forgotten.accept(held);
    }

    int size() {
        return byId.size();
    }
}
