package dev.penstock.races.jmsflow;

import java.util.BitSet;

/**
 * The effects of a round's consumers, as reported to their parent: for each message, whether it took effect, and
 * whether it was redelivered after that. Thread-safe.
 */
final class Effects {
    private final int sent;
    private final BitSet done = new BitSet();
    private final BitSet open = new BitSet();
    private final BitSet redelivered = new BitSet();
    private int repeated;
    private int held;

    Effects(int sent) {
        this.sent = sent;
    }

    /** The number of messages held by the source, as last reported. */
    synchronized void held(int messages) {
        held = messages;
    }

    synchronized void delivered(int number) {
        open.set(number);
        if (done.get(number)) {
            redelivered.set(number);
        }
    }

    synchronized void effect(int number) {
        repeated += done.get(number) ? 1 : 0;
        done.set(number);
    }

    synchronized void ended(int number) {
        open.clear(number);
    }

    /** Whether the message took effect. */
    synchronized boolean isDone(int number) {
        return done.get(number);
    }

    /** The number of messages that took effect. */
    synchronized int done() {
        return done.cardinality();
    }

    /** The number of messages delivered and not ended: those in handlers. */
    synchronized int open() {
        return open.cardinality();
    }

    /**
     * The number of messages received and not acknowledged: those held by the source, including ended ones. Source and
     * handlers report one after the other, so it is the larger of the two.
     */
    synchronized int inFlight() {
        return Math.max(held, open.cardinality());
    }

    /** The number of messages redelivered after they had taken effect. */
    synchronized int redelivered() {
        return redelivered.cardinality();
    }

    /** The number of repeated effects. */
    synchronized int repeated() {
        return repeated;
    }

    /** The number of messages that never took effect. */
    synchronized int lost() {
        return sent - done.cardinality();
    }
}
