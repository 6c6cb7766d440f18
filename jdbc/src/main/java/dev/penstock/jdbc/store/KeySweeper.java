package dev.penstock.jdbc.store;

import dev.penstock.Ticker;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Deletes expired rows every {@value #SECONDS} s, in small batches, as long as anything is written. Thread-safe. */
final class KeySweeper implements AutoCloseable {
    static final int SECONDS = 10;

    private static final int MAX_BATCHES = 200;

    private final Callable<Integer> sweepBatch;
    private final Ticker ticker;
    private final Part part;
    private final AtomicLong next;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile boolean closed;

    /**
     * The first sweep is due immediately.
     *
     * @param sweepBatch deletes one batch and returns the number of deleted rows
     * @param where the name of the store
     */
    KeySweeper(Callable<Integer> sweepBatch, String where, Ticker ticker) {
        this.sweepBatch = sweepBatch;
        this.ticker = ticker;
        this.part = Supervisor.current().part("key-store-sweep", where);
        this.next = new AtomicLong(ticker.nanos());
    }

    /** Starts a sweep in the background if one is due. Call after each write. */
    void sweepWhenDue() {
        long now = ticker.nanos();
        if (!closed && now - next.get() >= 0 && running.compareAndSet(false, true)) {
            next.set(now + Duration.ofSeconds(SECONDS).toNanos());
            try {
                Thread.ofVirtual().name("penstock-key-sweep").start(part.periodic(this::sweep));
            } catch (Throwable cannotStart) { // the endings are written in any case
                running.set(false);
                part.failed("the next sweep removes the same rows", cannotStart);
            }
        }
    }

    private void sweep() {
        try {
            boolean more = true;
            for (int batches = 0; more && batches < MAX_BATCHES && !closed; batches++) {
                more = sweepBatch.call() == KeyTable.SWEEP_BATCH;
            }
        } catch (Exception failed) {
            // The next sweep finds the same rows; nothing depends on the time.
        } finally {
            running.set(false);
        }
    }

    @Override
    public void close() {
        closed = true;
        part.close();
    }
}
