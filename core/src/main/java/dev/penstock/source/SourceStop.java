package dev.penstock.source;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Signals that a source receives no further messages. Thread-safe. */
public final class SourceStop {
    private final CountDownLatch asked = new CountDownLatch(1);

    /** Requests the stop. */
    public void ask() {
        asked.countDown();
    }

    /** Whether the stop was requested. */
    public boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** Waits; returns whether a stop was requested, or the thread was interrupted, by then. */
    public boolean awaitStop(long nanos) {
        try {
            return asked.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
