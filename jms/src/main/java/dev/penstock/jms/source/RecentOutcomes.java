package dev.penstock.jms.source;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Messages that this process has in hand, and those whose outcome the broker was told of lately, by their id.
 *
 * <h2>Design note</h2>
 *
 * <p>When a connection breaks, the broker delivers again what was not acknowledged, while its first delivery may still be in
 * process here; and an acknowledgement that nobody confirmed may be lost with the connection. So a message that comes again
 * over a later connection is looked up here: it is neither carried twice nor at the same time, and its outcome is told for
 * the new delivery. The last {@value #RECENT} outcomes are kept; what falls out is carried again, as JMS has it.
 *
 * <p>Safe for many threads.
 */
final class RecentOutcomes {
    static final int RECENT = 4_096;

    private final Map<String, HeldMessage> byId = new ConcurrentHashMap<>();
    private final @Nullable HeldMessage[] recent = new @Nullable HeldMessage[RECENT];
    private final Consumer<HeldMessage> forgotten;
    private int next;

    /** Knows nothing yet. */
    RecentOutcomes() {
        this(held -> {});
    }

    /**
     * Knows nothing yet.
     *
     * @param forgotten is called with each that is not known any more
     */
    RecentOutcomes(Consumer<HeldMessage> forgotten) {
        this.forgotten = forgotten;
    }

    /**
     * Enters a message that was received.
     *
     * @return the one of this id that came over an earlier connection; null for none, and then this is known from now on
     */
    @Nullable
    HeldMessage enter(HeldMessage held) {
        String id = held.id();
        if (id == null) {
            return null;
        }
        HeldMessage before = byId.putIfAbsent(id, held);
        return before != null && before.link() != held.link() && !before.isGivenBack() ? before : null;
    }

    /** The broker was told what became of it, or could not be, as the connection is gone. */
    void told(HeldMessage held) {
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

    /** The broker has confirmed what became of it, or it was given back. */
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
