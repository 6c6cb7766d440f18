package dev.penstock.jms.source;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells all who wait that a source takes in nothing more. Safe for many threads. */
final class SourceStop {
    private final CountDownLatch asked = new CountDownLatch(1);

    void ask() {
        asked.countDown();
    }

    boolean isAsked() {
        return asked.getCount() == 0;
    }

    /** Waits; true when it is asked to stop, or the thread is interrupted, by then. */
    boolean within(long nanos) {
        try {
            return asked.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
