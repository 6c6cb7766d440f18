package dev.penstock.dedupe;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes to a store that failed or whose result is uncertain. At most {@value #MOST} are held; beyond that the oldest is
 * dropped. The key of a dropped write stays claimed until its lease ends and is unknown then, so it is never sent twice. Safe
 * for many threads.
 */
final class PendingWrites {
    static final int MOST = 10_000;

    /**
     * One write.
     *
     * @param fingerprint the fingerprint of the request
     * @param owner the owner of the key
     * @param ending the ending to record; null when nothing was sent, so the key must be released
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record PendingWrite(String key, String fingerprint, long owner, byte @Nullable [] ending) {}

    private final Map<String, PendingWrite> byKey = new LinkedHashMap<>();
    private volatile boolean none = true;

    synchronized void add(PendingWrite write) {
        byKey.remove(write.key());
        byKey.put(write.key(), write);
        if (byKey.size() > MOST) {
            byKey.remove(byKey.keySet().iterator().next());
        }
        none = false;
    }

    /** Removes and returns the write of a key; null when there is none. */
    @Nullable
    PendingWrite take(String key) {
        return none ? null : taken(key);
    }

    /** Removes and returns the oldest write; null when there is none. */
    @Nullable
    PendingWrite takeAny() {
        return none ? null : taken(null);
    }

    private synchronized @Nullable PendingWrite taken(@Nullable String key) {
        if (byKey.isEmpty()) {
            return null;
        }
        PendingWrite write =
                byKey.remove(key == null ? byKey.keySet().iterator().next() : key);
        none = byKey.isEmpty();
        return write;
    }
}
