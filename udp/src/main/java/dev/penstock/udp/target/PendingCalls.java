package dev.penstock.udp.target;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Who waits for the answer to which id; so many at most. Safe for many threads. */
final class PendingCalls {
    /** Whether one was let in. */
    enum Entry {
        ADDED,
        FULL,
        /** Another one of the same id is on its way. */
        DUPLICATE
    }

    private final Map<String, DatagramCall> byId = new ConcurrentHashMap<>();
    private final Semaphore permits;
    private final int most;

    PendingCalls(int most) {
        this.most = most;
        this.permits = new Semaphore(most);
    }

    /** Lets one in; {@link #remove} it if it is. */
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
