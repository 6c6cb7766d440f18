package dev.penstock.races.jmsflow;

import java.util.BitSet;

/**
 * What the consumers of a round did, as their parent heard it: of each message, whether it took effect, and whether it came
 * again after that. Safe for many threads.
 */
final class Effects {
    private final int sent;
    private final BitSet done = new BitSet();
    private final BitSet open = new BitSet();
    private final BitSet cameAgain = new BitSet();
    private int repeated;
    private int inHand;

    Effects(int sent) {
        this.sent = sent;
    }

    /** How many messages the source had in hand, as it said last. */
    synchronized void inHand(int messages) {
        inHand = messages;
    }

    synchronized void delivered(int number) {
        open.set(number);
        if (done.get(number)) {
            cameAgain.set(number);
        }
    }

    synchronized void effect(int number) {
        repeated += done.get(number) ? 1 : 0;
        done.set(number);
    }

    synchronized void ended(int number) {
        open.clear(number);
    }

    /** Whether it took effect. */
    synchronized boolean isDone(int number) {
        return done.get(number);
    }

    /** How many took effect. */
    synchronized int done() {
        return done.cardinality();
    }

    /** How many were delivered and have not ended: what the handlers have. */
    synchronized int open() {
        return open.cardinality();
    }

    /**
     * How many were received and the broker was not told of: what the source has in hand, those that have ended included.
     * The source and the handlers speak one after the other, so it is the greater of the two.
     */
    synchronized int inFlight() {
        return Math.max(inHand, open.cardinality());
    }

    /** How many were delivered again after they had taken effect. */
    synchronized int cameAgain() {
        return cameAgain.cardinality();
    }

    /** How often one took effect that had before. */
    synchronized int repeated() {
        return repeated;
    }

    /** How many never took effect. */
    synchronized int lost() {
        return sent - done.cardinality();
    }
}
