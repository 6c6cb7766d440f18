package dev.penstock.http;

import dev.penstock.memory.MemoryBudget;
import java.io.IOException;
import java.io.InterruptedIOException;

/** The memory budget had no room for the body of an answer. */
final class MemoryExhausted extends IOException {
    private static final long serialVersionUID = 1L;
    /** How long an answer waits for memory: 2 s. Meanwhile connections of slow clients that hold memory are closed. */
    private static final long MAX_WAIT = 2_000_000_000;

    MemoryExhausted() {
        super("the memory budget is exhausted");
    }

    /** Reserves bytes for the answer to a call; blocks if necessary. */
    static void take(HttpCall call, int bytes) throws IOException {
        MemoryBudget.Lease lease = call.memory();
        try {
            if (lease != null && !lease.tryTake(bytes) && !lease.tryTake(bytes, MAX_WAIT)) {
                throw new MemoryExhausted();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for memory");
        }
    }
}
