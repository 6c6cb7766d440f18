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

    Effects(int sent) {
        this.sent = sent;
    }

    synchronized void delivered(int number) {
        if (done.get(number)) {
            cameAgain.set(number);
        } else {
            open.set(number);
        }
    }

    synchronized void effect(int number) {
        repeated += done.get(number) ? 1 : 0;
        done.set(number);
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

    /** How many were delivered and have not taken effect. */
    synchronized int open() {
        return open.cardinality();
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
