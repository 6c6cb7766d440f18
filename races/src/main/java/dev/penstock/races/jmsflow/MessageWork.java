package dev.penstock.races.jmsflow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The handler of all contestants: takes its time, and records the message. Messages are numbered from 0. Thread-safe.
 */
final class MessageWork {
    private final HandlerTime time;
    private final long seed;
    private final AtomicIntegerArray handled;
    private final LongAdder ended = new LongAdder();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();

    /**
     * An unused handler.
     *
     * @param time per message
     * @param seed of random choices
     * @param sent the number of messages
     */
    MessageWork(HandlerTime time, long seed, int sent) {
        this.time = time;
        this.seed = seed;
        this.handled = new AtomicIntegerArray(sent);
    }

    /** Handles a message on the calling thread. */
    void handle(int number) throws InterruptedException {
        began();
        end(number);
    }

    /**
     * Handles a message on another thread; the calling thread returns immediately.
     *
     * @param afterwards called at the end
     */
    void suspend(int number, Runnable afterwards) {
        began();
        Thread.startVirtualThread(() -> {
            try {
                end(number);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            afterwards.run();
        });
    }

    private void began() {
        inFlightMax.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
    }

    private void end(int number) throws InterruptedException {
        try {
            int millis = time.millis(seed, number);
            if (millis > 0) {
                Thread.sleep(millis);
            }
            handled.incrementAndGet(number);
            ended.increment();
        } finally {
            inFlight.decrementAndGet();
        }
    }

    /** The number of messages being handled. */
    int inFlight() {
        return inFlight.get();
    }

    /** The maximum number of messages handled concurrently. */
    int inFlightMax() {
        return inFlightMax.get();
    }

    /** The number of handled messages, including repetitions. */
    long ended() {
        return ended.sum();
    }

    /** The number of messages. */
    int sent() {
        return handled.length();
    }

    /** How often a message was handled. */
    int times(int number) {
        return handled.get(number);
    }

    /** The number of repetitions. */
    long repeated() {
        long repeated = 0;
        for (int number = 0; number < sent(); number++) {
            repeated += Math.max(0, times(number) - 1);
        }
        return repeated;
    }

    /** Waits until no message is being handled. */
    void awaitIdle() {
        while (inFlight.get() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
