package dev.penstock.dedupe;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger should have been told and could not be, or may not have heard. Bounded: of more than {@value #MOST} the
 * oldest are forgotten, and stay claimed until their leases are up; so a key that is forgotten is unknown, and never sent
 * twice. Safe for many threads.
 */
final class PendingWrites {
    static final int MOST = 10_000;

    /**
     * One of them.
     *
     * @param fingerprint that of the request
     * @param owner whose the key is
     * @param ending what to tell; null when nothing was sent, so that the key is to be given back
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares them
    record Debt(String key, String fingerprint, long owner, byte @Nullable [] ending) {}

    private final Map<String, Debt> byKey = new LinkedHashMap<>();
    private volatile boolean none = true;

    synchronized void owe(Debt debt) {
        byKey.remove(debt.key());
        byKey.put(debt.key(), debt);
        if (byKey.size() > MOST) {
            byKey.remove(byKey.keySet().iterator().next());
        }
        none = false;
    }

    /** Takes the debt of a key, for who settles it; null when there is none. */
    @Nullable
    Debt take(String key) {
        return none ? null : taken(key);
    }

    /** Takes the oldest debt; null when there is none. */
    @Nullable
    Debt takeAny() {
        return none ? null : taken(null);
    }

    private synchronized @Nullable Debt taken(@Nullable String key) {
        if (byKey.isEmpty()) {
            return null;
        }
        Debt debt = byKey.remove(key == null ? byKey.keySet().iterator().next() : key);
        none = byKey.isEmpty();
        return debt;
    }
}
