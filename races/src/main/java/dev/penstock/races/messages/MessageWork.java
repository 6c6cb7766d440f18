package dev.penstock.races.messages;

import java.util.BitSet;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * The handler of all contestants: takes its time, and records the message. Messages are numbered from 0. Thread-safe.
 */
public class MessageWork {
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
    public MessageWork(HandlerTime time, long seed, int sent) {
        this.time = time;
        this.seed = seed;
        this.handled = new AtomicIntegerArray(sent);
    }

    /** Handles a message on the calling thread. */
    public final void handle(int number) throws InterruptedException {
        began();
        end(number);
    }

    /**
     * Handles a message in the listener of a library.
     *
     * @throws IllegalStateException when the thread is interrupted: the message is not acknowledged then
     */
    public final void listen(int number) {
        try {
            handle(number);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted; the message is not acknowledged", e);
        }
    }

    /**
     * Handles a message on another thread; the calling thread returns immediately.
     *
     * @param afterwards called at the end
     */
    public final void suspend(int number, Runnable afterwards) {
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

    /** The time that a message takes, asked when it begins. */
    protected int millis(int number) {
        return time.millis(seed, number);
    }

    /** A message has taken its time. */
    protected void done(int number) {}

    private void began() {
        inFlightMax.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
    }

    private void end(int number) throws InterruptedException {
        try {
            int millis = millis(number);
            if (millis > 0) {
                Thread.sleep(millis);
            }
            done(number);
            handled.incrementAndGet(number);
            ended.increment();
        } finally {
            inFlight.decrementAndGet();
        }
    }

    /** The number of messages being handled. */
    public final int inFlight() {
        return inFlight.get();
    }

    /** The maximum number of messages handled concurrently. */
    public final int inFlightMax() {
        return inFlightMax.get();
    }

    /** The number of handled messages, including repetitions. */
    public final long ended() {
        return ended.sum();
    }

    /** The number of messages. */
    public final int sent() {
        return handled.length();
    }

    /** How often a message was handled. */
    public final int times(int number) {
        return handled.get(number);
    }

    /** The number of repetitions. */
    public final long repeated() {
        long repeated = 0;
        for (int number = 0; number < sent(); number++) {
            repeated += Math.max(0, times(number) - 1);
        }
        return repeated;
    }

    /** Waits until no message is being handled. */
    public final void awaitIdle() {
        while (inFlight.get() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /**
     * The time of a handler per message: nothing, or a wait, as for a remote answer. Immutable.
     *
     * @param least ms
     * @param most ms
     */
    public record HandlerTime(int least, int most) {
        /** The minimum: the message is read and counted. */
        public static final HandlerTime NONE = new HandlerTime(0, 0);

        /** The time for one message of a round; the same for all contestants. */
        public int millis(long seed, int number) {
            return least == most ? least : new SplittableRandom(seed ^ number).nextInt(least, most + 1);
        }

        /** The maximum messages per second with this many in flight; 0 when unlimited. */
        public double ceiling(int inFlight) {
            return most == 0 ? 0 : inFlight * 2_000.0 / (least + most);
        }

        /** Readable. */
        public String describe() {
            return most == 0 ? "no time" : least == most ? most + " ms" : least + " to " + most + " ms";
        }
    }

    /**
     * The fate of all sent messages.
     *
     * @param lost neither handled nor in the queue
     * @param duplicates handled repeatedly, or handled and still in the queue
     */
    public record MessageAudit(long lost, long duplicates) {
        /**
         * Counts.
         *
         * @param left the messages still in the queue
         */
        public static MessageAudit of(MessageWork handling, BitSet left) {
            long lost = 0;
            long duplicates = 0;
            for (int number = 0; number < handling.sent(); number++) {
                int times = handling.times(number) + (left.get(number) ? 1 : 0);
                lost += times == 0 ? 1 : 0;
                duplicates += Math.max(0, times - 1);
            }
            return new MessageAudit(lost, duplicates);
        }

        public Map<String, Double> metrics() {
            return Map.of("lost", (double) lost, "duplicates", (double) duplicates);
        }
    }
}
