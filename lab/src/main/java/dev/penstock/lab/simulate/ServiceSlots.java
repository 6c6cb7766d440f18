package dev.penstock.lab.simulate;

import java.io.InterruptedIOException;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many requests are served at once, and how much slower each is for the others. Who waits is a connection's thread, so there are
 * never more in line than connections. Safe for many threads.
 */
final class ServiceSlots {
    private final int workers;
    private final int line;
    private final double contention;
    private final double coherence;
    private final Semaphore free;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger serving = new AtomicInteger();

    ServiceSlots(int workers, int line, double contention, double coherence) {
        this.workers = workers;
        this.line = line;
        this.contention = contention;
        this.coherence = coherence;
        this.free = new Semaphore(workers, true);
    }

    /**
     * Waits until a worker is free and takes it; {@link #end} gives it back.
     *
     * @return false when the line is full
     * @throws InterruptedIOException when the simulator ends
     */
    boolean begin() throws InterruptedIOException {
        if (waiting.get() > 0 || !free.tryAcquire()) {
            if (waiting.incrementAndGet() > line) {
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

    /** What a delay is to be multiplied with, now that a request's turn has come. */
    double slowness() {
        double others = Math.max(0, serving.get() - 1);
        return 1 + contention * others + coherence * (others + 1) * others;
    }

    /** For people, with a comma before it; empty when it does nothing. */
    @Override
    public String toString() {
        String bound = workers == Integer.MAX_VALUE ? "" : ", %,d at once".formatted(workers);
        String full = line == Integer.MAX_VALUE ? "" : " and %,d in line".formatted(line);
        return bound
                + full
                + (contention + coherence == 0
                        ? ""
                        : String.format(Locale.ROOT, ", contention %.3g, coherence %.3g", contention, coherence));
    }
}
