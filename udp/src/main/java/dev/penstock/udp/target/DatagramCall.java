package dev.penstock.udp.target;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request in progress: its state, its caller and its outcome. The caller that withdraws it, the thread that sends it and
 * the reader of answers race to change its state; the first one wins.
 */
final class DatagramCall {
    /** The state of sending. */
    enum State {
        /** In the send queue. */
        QUEUED,
        /** Taken by the sending thread: it may reach the peer at any moment. */
        SENDING,
        /** Passed to the kernel, at least once. */
        SENT,
        /** It cannot be sent: no route to the peer, or too large. */
        UNSENDABLE,
        /** Its caller withdrew it before it was sent. */
        WITHDRAWN
    }

    /**
     * The event that ends the wait for an answer.
     *
     * @param answer the answer; null when the target was closed
     * @param isTruncated whether the answer was larger than the maximum size
     * @param at its time, in nanoseconds
     */
    record Outcome(RequestIds.@Nullable Named answer, boolean isTruncated, long at) {
        static final Outcome CLOSED = new Outcome(null, false, 0);
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

    /** When it was last taken for sending. Taken before the send call, as the answer may arrive before that call returns. */
    long sentAt() {
        return sentAt;
    }

    /** Queues it for another attempt; only its caller calls this. Returns false while the previous attempt is still queued. */
    boolean queueAgain() {
        return state.compareAndSet(State.SENT, State.QUEUED) || state.compareAndSet(State.UNSENDABLE, State.QUEUED);
    }

    /** Takes it for sending; returns false when it was withdrawn, or is answered already. */
    boolean take(long now) {
        if (outcome.get() != null || !state.compareAndSet(State.QUEUED, State.SENDING)) {
            return false;
        }
        sentAt = now;
        return true;
    }

    /** Whether it is in the send queue, or taken for sending. */
    boolean isQueued() {
        State now = state.get();
        return now == State.QUEUED || now == State.SENDING;
    }

    /** Returns it to the send queue, since it was not sent. */
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

    /** Withdraws it; returns false when any attempt was sent, or is being sent. */
    boolean withdraw() {
        return !everSent && state.compareAndSet(State.QUEUED, State.WITHDRAWN);
    }

    /** Whether any attempt may have been sent. */
    boolean wasSent() {
        return everSent || state.get() == State.SENDING;
    }

    /** Whether it was never sent and cannot be. */
    boolean isStuck() {
        return !everSent && state.get() == State.UNSENDABLE;
    }

    /** Ends the wait; returns false when it had ended before. */
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
