package dev.penstock.http;

import dev.penstock.memory.MemoryBudget;
import java.io.IOException;
import java.io.InterruptedIOException;

/** The memory budget had no room for the body of an answer. */
final class MemoryExhausted extends IOException {
    private static final long serialVersionUID = 1L;
    /** How long an answer may wait for memory. Meanwhile clients that hold much of it and are too slow are cut. */
    private static final long PATIENCE = 2_000_000_000;

    MemoryExhausted() {
        super("the memory budget is spent");
    }

    /** Takes bytes for the answer to a call. Waits if need be. */
    static void take(HttpCall call, int bytes) throws IOException {
        MemoryBudget.Lease lease = call.memory();
        try {
            if (lease != null && !lease.tryTake(bytes) && !lease.tryTake(bytes, PATIENCE)) {
                throw new MemoryExhausted();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for memory");
        }
    }
}
