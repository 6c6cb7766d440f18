package dev.penstock.meter;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Many counts, each kept in several places, so that threads which count at once need not take turns.
 *
 * <h2>Design note</h2>
 *
 * <p>What costs when counting is neither the memory nor the arithmetic but each atomic instruction: about 5 ns, five or ten
 * times in every transaction. So counts that change together are changed together, {@link #addTogether}: one atomic
 * instruction takes the stripe's latch, the counts are then plain memory that nobody else writes, and giving the latch back is
 * a plain store. A latch is held for some ten instructions that neither wait nor allocate. Who finds it taken does not wait
 * either but takes the next stripe's: a thread that the system stopped in between delays nobody, and a latch that was never
 * given back (a stack overflow just there) would cost one stripe and no count.
 *
 * <p>Readers take no latch. A count only grows and is written whole, so its sum over the stripes is one that it had while it
 * was summed up, as with {@link java.util.concurrent.atomic.LongAdder}. Who sees a count sees all that its thread did before.
 *
 * <p>A count is added to in one of the two ways, never in both: an atomic add between the plain read and the plain write of
 * another thread would be lost. A stripe begins and ends with two cache lines that nobody writes, for the processor fetches
 * lines in pairs.
 *
 * <p>Safe for many threads. Memory is bounded: 8 bytes a count and stripe, at most {@value #MOST_STRIPES} stripes.
 */
final class StripedCounters {
    private static final int MOST_STRIPES = 8;
    private static final int PADDING = 16;
    private static final int LATCH = PADDING;
    private static final int FIRST = LATCH + 1;

    private final AtomicLongArray[] stripes;
    private final int mask;

    /** Counts of 0, striped for the processors that this JVM has. */
    StripedCounters(int slots) {
        int wanted = Math.min(MOST_STRIPES, 2 * Runtime.getRuntime().availableProcessors());
        stripes = new AtomicLongArray[Integer.highestOneBit(wanted)];
        mask = stripes.length - 1;
        for (int stripe = 0; stripe < stripes.length; stripe++) {
            stripes[stripe] = new AtomicLongArray(FIRST + slots + PADDING);
        }
    }

    /** Adds one to a count, by itself. */
    void add(int slot) {
        stripes[own()].getAndIncrement(FIRST + slot);
    }

    /** Adds one to each of two counts, for the price of one. */
    void addTogether(int first, int second) {
        AtomicLongArray stripe = latched();
        grow(stripe, first, 1);
        grow(stripe, second, 1);
        stripe.setRelease(LATCH, 0);
    }

    /** Adds one to each of two counts and an amount to a third, for the price of one. */
    void addTogether(int first, int second, int third, long amount) {
        AtomicLongArray stripe = latched();
        grow(stripe, first, 1);
        grow(stripe, second, 1);
        grow(stripe, third, amount);
        stripe.setRelease(LATCH, 0);
    }

    private static void grow(AtomicLongArray stripe, int slot, long by) {
        stripe.setRelease(FIRST + slot, stripe.getPlain(FIRST + slot) + by);
    }

    @SuppressWarnings("ThreadPriorityCheck") // only when every latch is taken: whoever holds one may need this core
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

    /** A thread keeps to one stripe, and threads that began one after the other to different ones. */
    private int own() {
        return (int) Thread.currentThread().threadId() & mask;
    }

    /** What a count has come to. */
    long sum(int slot) {
        long sum = 0;
        for (AtomicLongArray stripe : stripes) {
            sum += stripe.get(FIRST + slot);
        }
        return sum;
    }
}
