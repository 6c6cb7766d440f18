package dev.penstock.races.jmsflow;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * What is done with each message, the same for all contestants: it takes its time, and is written down. Messages have the
 * numbers from 0 on. Safe for many threads.
 */
final class MessageWork {
    private final HandlerTime time;
    private final long seed;
    private final AtomicIntegerArray handled;
    private final LongAdder ended = new LongAdder();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();

    /**
     * A handler that has seen none.
     *
     * @param time that each message takes
     * @param seed where chance begins
     * @param sent how many there are
     */
    MessageWork(HandlerTime time, long seed, int sent) {
        this.time = time;
        this.seed = seed;
        this.handled = new AtomicIntegerArray(sent);
    }

    /** Handles one on the calling thread. */
    void handle(int number) throws InterruptedException {
        began();
        end(number);
    }

    /**
     * Hands one over to a thread of its own: the calling one has it behind itself at once.
     *
     * @param afterwards what to do when it has ended
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

    /** How many are being handled. */
    int inFlight() {
        return inFlight.get();
    }

    /** The most that were ever being handled at once. */
    int inFlightMax() {
        return inFlightMax.get();
    }

    /** How many times a message was handled, of all. */
    long ended() {
        return ended.sum();
    }

    /** How many there are. */
    int sent() {
        return handled.length();
    }

    /** How often one was handled. */
    int times(int number) {
        return handled.get(number);
    }

    /** How often one was handled that had been before. */
    long repeated() {
        long repeated = 0;
        for (int number = 0; number < sent(); number++) {
            repeated += Math.max(0, times(number) - 1);
        }
        return repeated;
    }

    /** Waits until none is being handled. */
    void awaitIdle() {
        while (inFlight.get() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }
}
