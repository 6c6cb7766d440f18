package dev.penstock.lab.datagram;

import java.util.List;

/**
 * What became of each numbered datagram: {@code sent = right + wrong + lost + waiting}, always.
 *
 * <p>A ring knows the latest numbers, by default 4 million in 4 MB. One that leaves it without an answer is lost; what comes for
 * it after that is late, and does not bring it back.
 *
 * <p>For one thread.
 */
public final class DatagramTally {
    /** How many numbers are remembered by default. */
    public static final int REMEMBERED = 1 << 22;

    private static final byte NEVER_SENT = 0;
    private static final byte WAITING = 1;
    private static final byte ANSWERED = 2;

    private final byte[] ring;
    private final int mask;
    private final Losses losses = new Losses();
    private long next;
    private long sent;
    private long right;
    private long wrong;
    private long duplicates;
    private long late;
    private long strange;
    private long mostWaiting;

    /** One that remembers {@value #REMEMBERED} numbers. */
    public DatagramTally() {
        this(REMEMBERED);
    }

    /**
     * A tally.
     *
     * @param remembered how many numbers, a power of two
     */
    public DatagramTally(int remembered) {
        if (Integer.bitCount(remembered) != 1) {
            throw new IllegalArgumentException("how many are remembered is a power of two, not " + remembered);
        }
        ring = new byte[remembered];
        mask = remembered - 1;
    }

    /**
     * Datagrams were sent.
     *
     * @param first the number of the first, not less than any sent before; numbers between were never sent
     * @param count how many
     */
    public void sent(long first, int count) {
        for (; next < first; next++) {
            forget(next);
            ring[(int) next & mask] = NEVER_SENT;
        }
        for (; next < first + count; next++) {
            forget(next);
            ring[(int) next & mask] = WAITING;
        }
        sent += count;
        mostWaiting = Math.max(mostWaiting, waiting());
    }

    /** The place of a number is wanted. */
    private void forget(long number) {
        if (ring[(int) number & mask] == WAITING) {
            losses.add(number - ring.length);
        }
    }

    /**
     * An answer came.
     *
     * @param number that it has
     * @param isRight whether it is as it has to be
     * @return whether it is the first to this number
     */
    public boolean answered(long number, boolean isRight) {
        if (number < 0 || number >= next) {
            strange++;
            return false;
        }
        if (number < next - ring.length) {
            late++;
            return false;
        }
        int at = (int) number & mask;
        if (ring[at] != WAITING) {
            duplicates += ring[at] == ANSWERED ? 1 : 0;
            strange += ring[at] == NEVER_SENT ? 1 : 0;
            return false;
        }
        ring[at] = ANSWERED;
        right += isRight ? 1 : 0;
        wrong += isRight ? 0 : 1;
        return true;
    }

    /** Nothing more is waited for: what has no answer is lost. */
    public void finish() {
        for (long number = Math.max(0, next - ring.length); number < next; number++) {
            int at = (int) number & mask;
            if (ring[at] == WAITING) {
                losses.add(number);
                ring[at] = NEVER_SENT;
            }
        }
    }

    /** How many were sent. */
    public long sent() {
        return sent;
    }

    /** How many were answered as they had to be. */
    public long right() {
        return right;
    }

    /** How many were answered otherwise. */
    public long wrong() {
        return wrong;
    }

    /** How many never were answered, as far as is known. */
    public long lost() {
        return losses.count();
    }

    /** How many may be answered yet. */
    public long waiting() {
        return sent - right - wrong - losses.count();
    }

    /** The most that waited at once. */
    public long mostWaiting() {
        return mostWaiting;
    }

    /** How many answers came to numbers that were answered before. */
    public long duplicates() {
        return duplicates;
    }

    /** How many answers came to numbers that are no longer remembered. */
    public long late() {
        return late;
    }

    /** How many answers came to numbers that never were sent, or without one. */
    public long strange() {
        return strange;
    }

    /** Which were lost, the first 1,000 stretches of them. */
    public List<Loss> losses() {
        return losses.stretches();
    }
}
