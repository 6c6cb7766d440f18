package dev.penstock.udp.target;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The calls that wait for an answer, by id; limited in number. Safe for many threads. */
final class PendingCalls {
    /** The result of {@link #add}. */
    enum Entry {
        ADDED,
        FULL,
        /** Another call with the same id is in progress. */
        DUPLICATE
    }

    private final Map<String, DatagramCall> byId = new ConcurrentHashMap<>();
    private final Semaphore permits;
    private final int most;

    PendingCalls(int most) {
        this.most = most;
        this.permits = new Semaphore(most);
    }

    /** Adds a call; the caller must {@link #remove} it if it was added. */
    Entry add(DatagramCall call) {
        if (!permits.tryAcquire()) {
            return Entry.FULL;
        }
        if (byId.putIfAbsent(call.id(), call) != null) {
            permits.release();
            return Entry.DUPLICATE;
        }
        return Entry.ADDED;
    }

    void remove(DatagramCall call) {
        if (byId.remove(call.id(), call)) {
            permits.release();
        }
    }

    @Nullable
    DatagramCall of(String id) {
        return byId.get(id);
    }

    int count() {
        return most - permits.availablePermits();
    }

    int most() {
        return most;
    }

    void endAll(DatagramCall.Outcome how) {
        byId.values().forEach(call -> call.end(how));
    }
}
