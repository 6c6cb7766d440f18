package dev.penstock.meter;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counters that are each striped over several cells, so that threads can count concurrently without contention.
 *
 * <h2>Design note</h2>
 *
 * <p>The cost of counting is the atomic instructions: about 5 ns each, five or ten times in every transaction. So counters that
 * change together are updated together by {@link #addAll}: one atomic instruction takes the latch of a stripe, the counters
 * are then updated by plain reads and release writes, and the latch is released by a release write. A latch is held for about
 * ten instructions that neither block nor allocate. A thread that finds a latch taken does not wait but tries the next stripe:
 * a descheduled latch holder delays no other thread, and a latch that is never released (after a stack overflow at that point)
 * would cost one stripe and no count.
 *
 * <p>Readers take no latch. A counter only grows and is written atomically, so the sum over the stripes is a value that the
 * counter had during the summation, as with {@link java.util.concurrent.atomic.LongAdder}. A thread that sees a count also sees
 * everything that the counting thread did before.
 *
 * <p>A counter is updated in only one of the two ways: an atomic add between the plain read and the write of another thread
 * would be lost. A stripe begins and ends with two unused cache lines, because processors fetch lines in pairs.
 *
 * <p>Thread-safe. Memory is bounded: 8 bytes per counter and stripe, at most {@value #MAX_STRIPES} stripes.
 */
final class StripedCounters {
    private static final int MAX_STRIPES = 8;
    private static final int PADDING = 16;
    private static final int LATCH = PADDING;
    private static final int FIRST = LATCH + 1;

    private final AtomicLongArray[] stripes;
    private final int mask;

    /** Counters of 0, striped by the number of processors of this JVM. */
    StripedCounters(int slots) {
        this(slots, Math.min(MAX_STRIPES, 2 * Runtime.getRuntime().availableProcessors()));
    }

    /** Counters of 0, striped over the largest power of two cells that is not above a given number. */
    StripedCounters(int slots, int wanted) {
        stripes = new AtomicLongArray[Integer.highestOneBit(wanted)];
        mask = stripes.length - 1;
        for (int stripe = 0; stripe < stripes.length; stripe++) {
            stripes[stripe] = new AtomicLongArray(FIRST + slots + PADDING);
        }
    }

    /** Adds one to a counter. */
    void add(int slot) {
        stripes[own()].getAndIncrement(FIRST + slot);
    }

    /** Adds one to each of two counters, with one atomic instruction. */
    void addAll(int first, int second) {
        AtomicLongArray stripe = latched();
        grow(stripe, first, 1);
        grow(stripe, second, 1);
        stripe.setRelease(LATCH, 0);
    }

    /** Adds one to each of two counters and an amount to a third, with one atomic instruction. */
    void addAll(int first, int second, int third, long amount) {
        AtomicLongArray stripe = latched();
        grow(stripe, first, 1);
        grow(stripe, second, 1);
        grow(stripe, third, amount);
        stripe.setRelease(LATCH, 0);
    }

    private static void grow(AtomicLongArray stripe, int slot, long by) {
        stripe.setRelease(FIRST + slot, stripe.getPlain(FIRST + slot) + by);
    }

    @SuppressWarnings("ThreadPriorityCheck") // only when every latch is taken: a latch holder may need this core
    private AtomicLongArray latched() {
        int own = own();
        for (int tried = 0; ; tried++) {
            AtomicLongArray stripe = stripes[own + tried & mask];
            if (stripe.getPlain(LATCH) == 0 && stripe.compareAndSet(LATCH, 0, 1)) {
                return stripe;
            }
            if (tried > mask) {
                Thread.yield();
            }
        }
    }

    /** A thread always prefers the same stripe; threads created in sequence prefer different stripes. */
    private int own() {
        return (int) Thread.currentThread().threadId() & mask;
    }

    /** The value of a counter. */
    long sum(int slot) {
        long sum = 0;
        for (AtomicLongArray stripe : stripes) {
            sum += stripe.get(FIRST + slot);
        }
        return sum;
    }
}
