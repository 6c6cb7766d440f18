package dev.penstock.udp.target;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Who waits for the answer to which id; so many at most. Safe for many threads. */
final class PendingCalls {
    /** Whether one was let in. */
    enum Entry {
        IN,
        FULL,
        /** Another one of the same id is on its way. */
        TAKEN
    }

    private final Map<String, DatagramCall> byId = new ConcurrentHashMap<>();
    private final Semaphore room;
    private final int most;

    PendingCalls(int most) {
        this.most = most;
        this.room = new Semaphore(most);
    }

    /** Lets one in; {@link #leave} it if it is. */
    Entry enter(DatagramCall call) {
        if (!room.tryAcquire()) {
            return Entry.FULL;
        }
        if (byId.putIfAbsent(call.id(), call) != null) {
            room.release();
            return Entry.TAKEN;
        }
        return Entry.IN;
    }

    void leave(DatagramCall call) {
        if (byId.remove(call.id(), call)) {
            room.release();
        }
    }

    @Nullable
    DatagramCall of(String id) {
        return byId.get(id);
    }

    int count() {
        return most - room.availablePermits();
    }

    int most() {
        return most;
    }

    void endAll(DatagramCall.Outcome how) {
        byId.values().forEach(call -> call.end(how));
    }
}
