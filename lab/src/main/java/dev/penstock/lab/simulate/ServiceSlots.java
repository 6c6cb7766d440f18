package dev.penstock.lab.simulate;

import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the requests served concurrently, and computes how concurrency slows each down. Waiting blocks the
 * connection's thread, so the queue is never longer than the number of connections. Thread-safe.
 */
final class ServiceSlots {
    private final int workers;
    private final int queueLength;
    private final double contention;
    private final double coherence;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger serving = new AtomicInteger();

    ServiceSlots(int workers, int queueLength, double contention, double coherence) {
        this.workers = workers;
        this.queueLength = queueLength;
        this.contention = contention;
        this.coherence = coherence;
        this.free = new Semaphore(workers, true);
    }

    /**
     * Waits for a free worker and takes it; {@link #end} releases it.
     *
     * @return false when the queue is full
     * @throws InterruptedIOException when the simulator ends
     */
    boolean begin() throws InterruptedIOException {
        if (waiting.get() > 0 || !free.tryAcquire()) {
            if (waiting.incrementAndGet() > queueLength) {
                waiting.decrementAndGet();
                return false;
            }
            try {
                free.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the simulator ends");
            } finally {
                waiting.decrementAndGet();
            }
        }
        serving.incrementAndGet();
        return true;
    }

    void end() {
        serving.decrementAndGet();
        free.release();
    }

    /** The factor by which concurrency currently increases a delay. */
    double slowness() {
        double others = Math.max(0, serving.get() - 1);
        return 1 + contention * others + coherence * (others + 1) * others;
    }

    /** Readable, with a leading comma; empty when unlimited. */
    @Override
    public String toString() {
        String bound = workers == Integer.MAX_VALUE ? "" : ", %,d concurrent".formatted(workers);
        String full = queueLength == Integer.MAX_VALUE ? "" : " and %,d queued".formatted(queueLength);
        return bound
                + full
                + (contention + coherence == 0
                        ? ""
                        : String.format(Locale.ROOT, ", contention %.3g, coherence %.3g", contention, coherence));
    }
}
