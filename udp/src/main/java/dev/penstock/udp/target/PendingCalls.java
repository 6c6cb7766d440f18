package dev.penstock.udp.target;

import dev.penstock.Rejected;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The calls that wait for an answer, by id; limited in number. Safe for many threads. */
final class PendingCalls {
    private final Map<String, DatagramCall> byId = new ConcurrentHashMap<>();
    private final Semaphore permits;
    private final int most;
    private final String where;

    PendingCalls(int most, String where) {
        this.most = most;
        this.where = where;
        this.permits = new Semaphore(most);
    }

    /**
     * Adds a call; the caller must {@link #remove} it then.
     *
     * @throws Rejected cause {@code LIMIT}: too many wait, or one with the same id
     */
    void add(DatagramCall call) throws Rejected {
        if (!permits.tryAcquire()) {
            throw new Rejected(
                    Rejected.Cause.LIMIT, most + " requests already wait for answers from " + where + ", the maximum");
        }
        if (byId.putIfAbsent(call.id(), call) != null) {
            permits.release();
            throw new Rejected(Rejected.Cause.LIMIT, "another request with the same id is in progress at " + where);
        }
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
