package dev.penstock.lab.datagram;

import java.util.List;

/**
 * The state of each numbered datagram. Invariant: {@code sent = right + wrong + lost + waiting}.
 *
 * <p>A ring buffer holds the latest numbers, by default 4 million in 4 MB. A datagram that leaves it without an answer
 * is lost; a later answer counts as late and does not change that.
 *
 * <p>For one thread.
 */
public final class DatagramTally {
    /** The default capacity. */
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
    private long unexpected;
    private long maxWaiting;

    /** A tally of {@value #REMEMBERED} numbers. */
    public DatagramTally() {
        this(REMEMBERED);
    }

    /**
     * A tally.
     *
     * @param remembered its capacity, a power of two
     */
    public DatagramTally(int remembered) {
        if (Integer.bitCount(remembered) != 1) {
            throw new IllegalArgumentException("the capacity must be a power of two, not " + remembered);
        }
        ring = new byte[remembered];
        mask = remembered - 1;
    }

    /**
     * Records sent datagrams.
     *
     * @param first the first number, not less than any sent before; skipped numbers were never sent
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
        maxWaiting = Math.max(maxWaiting, waiting());
    }

    /** Frees the slot of a number. */
    private void forget(long number) {
        if (ring[(int) number & mask] == WAITING) {
            losses.add(number - ring.length);
        }
    }

    /**
     * Records an answer.
     *
     * @param number its number
     * @param isRight whether it is correct
     * @return whether it is the first answer to this number
     */
    public boolean answered(long number, boolean isRight) {
        if (number < 0 || number >= next) {
            unexpected++;
            return false;
        }
        if (number < next - ring.length) {
            late++;
            return false;
        }
        int at = (int) number & mask;
        if (ring[at] != WAITING) {
            duplicates += ring[at] == ANSWERED ? 1 : 0;
            unexpected += ring[at] == NEVER_SENT ? 1 : 0;
            return false;
        }
        ring[at] = ANSWERED;
        right += isRight ? 1 : 0;
        wrong += isRight ? 0 : 1;
        return true;
    }

    /** Ends the load: datagrams without an answer are lost. */
    public void finish() {
        for (long number = Math.max(0, next - ring.length); number < next; number++) {
            int at = (int) number & mask;
            if (ring[at] == WAITING) {
                losses.add(number);
                ring[at] = NEVER_SENT;
            }
        }
    }

    /** Datagrams sent. */
    public long sent() {
        return sent;
    }

    /** Datagrams answered correctly. */
    public long right() {
        return right;
    }

    /** Datagrams answered incorrectly. */
    public long wrong() {
        return wrong;
    }

    /** Datagrams known to be lost. */
    public long lost() {
        return losses.count();
    }

    /** Datagrams that may still be answered. */
    public long waiting() {
        return sent - right - wrong - losses.count();
    }

    /** The maximum of {@link #waiting}. */
    public long maxWaiting() {
        return maxWaiting;
    }

    /** Answers to numbers already answered. */
    public long duplicates() {
        return duplicates;
    }

    /** Answers to numbers no longer in the ring buffer. */
    public long late() {
        return late;
    }

    /** Answers to numbers never sent, or without a number. */
    public long unexpected() {
        return unexpected;
    }

    /** The lost numbers as ranges, the first 1,000. */
    public List<Loss> losses() {
        return losses.ranges();
    }
}
