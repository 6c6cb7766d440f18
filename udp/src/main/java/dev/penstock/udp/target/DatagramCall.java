package dev.penstock.udp.target;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way: who waits for it, and what came of it. Whoever moves its state on first decides: its caller, who takes
 * it back, the one who sends it, or the reader of answers.
 */
final class DatagramCall {
    /** Where it is. */
    enum State {
        /** In the outbox. */
        QUEUED,
        /** In the hands of whoever sends: it may be with the peer at any moment. */
        SENDING,
        /** Given to the kernel, once or more. */
        SENT,
        /** It can never be sent: no way to the peer, or too large for it. */
        UNSENDABLE,
        /** Its caller took it back before it was sent. */
        WITHDRAWN
    }

    /**
     * What ends the wait for an answer.
     *
     * @param answer null where there is none
     * @param at when that was, in nanoseconds
     */
    record Outcome(Kind kind, RequestIds.@Nullable Named answer, long at) {
        /** What it is. */
        enum Kind {
            ANSWER,
            /** It had more bytes than there was room for. */
            TRUNCATED,
            /** The target was closed. */
            CLOSED
        }

        static final Outcome CLOSED = new Outcome(Kind.CLOSED, null, 0);
    }

    private final String id;
    private final byte[] bytes;
    private final Thread caller;
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private volatile boolean everSent;
    private volatile long sentAt;

    DatagramCall(String id, byte[] bytes, Thread caller) {
        this.id = id;
        this.bytes = bytes;
        this.caller = caller;
    }

    String id() {
        return id;
    }

    byte[] bytes() {
        return bytes;
    }

    /** When it was last taken to be sent; the answer may be there before whoever sends knows that it has left. */
    long sentAt() {
        return sentAt;
    }

    /** Wants to be sent once more; only its caller does so, when the attempt before is over. False while that one waits yet. */
    boolean queueAgain() {
        return state.compareAndSet(State.SENT, State.QUEUED) || state.compareAndSet(State.UNSENDABLE, State.QUEUED);
    }

    /** Taken by whoever sends; false when its caller does not want it any more, or has its answer. */
    boolean take(long now) {
        if (outcome.get() != null || !state.compareAndSet(State.QUEUED, State.SENDING)) {
            return false;
        }
        sentAt = now;
        return true;
    }

    /** Whether it is in the outbox, or in the hands of whoever sends. */
    boolean isQueued() {
        State now = state.get();
        return now == State.QUEUED || now == State.SENDING;
    }

    /** It was not sent after all, and goes back into the outbox. */
    void putBack() {
        state.compareAndSet(State.SENDING, State.QUEUED);
    }

    void sent() {
        everSent = true;
        state.set(State.SENT);
    }

    void unsendable() {
        state.set(State.UNSENDABLE);
        LockSupport.unpark(caller);
    }

    /** Takes it back; false when any attempt is being sent, or was. */
    boolean withdraw() {
        return !everSent && state.compareAndSet(State.QUEUED, State.WITHDRAWN);
    }

    /** Whether any attempt may have left. */
    boolean wasSent() {
        return everSent || state.get() == State.SENDING;
    }

    /** Whether it never left, and never will by itself. */
    boolean isStuck() {
        return !everSent && state.get() == State.UNSENDABLE;
    }

    /** Ends the wait; false when it has ended. */
    boolean end(Outcome how) {
        boolean first = outcome.compareAndSet(null, how);
        LockSupport.unpark(caller);
        return first;
    }

    @Nullable
    Outcome outcome() {
        return outcome.get();
    }
}
