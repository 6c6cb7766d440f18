package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * The context of one transaction in a flow: its deadline, and the last clock reading.
 *
 * <h2>Design note</h2>
 *
 * <p>One clock reading costs about as much as a whole stage, so the stages share readings: the meter reads the clock once at
 * the start and once when the attempt has ended; a stage in between reads it again only after it has waited. A context
 * belongs to the thread that runs the transaction, so its fields are not volatile.
 *
 * <p>It is bound to that thread by a {@link ThreadLocal} rather than a {@link ScopedValue}: a scoped binding allocates a
 * carrier, a snapshot and a lambda for each call (about 100 bytes), and the whole path through a flow may allocate at most
 * 48 bytes. A flow called from within another flow inherits the outer context, and so its deadline.
 *
 * <p>The fields fill those 48 bytes completely. So the two flags "answered at once" and "left a stray call" are stored in
 * the {@code reservation} field, which is no longer needed once an attempt has ended.
 *
 * <p>Not thread-safe: only for the thread that it is bound to. To continue in another thread, pass on {@link
 * Deadline#current()}.
 */
public final class CallContext {
    /** The time allowed to a transaction without a deadline: 146 years. */
    static final long NEVER = Long.MAX_VALUE / 2;

    /** Flags that replace the reservation once the attempt that used it has ended. */
    private enum Used implements Reservation {
        ANSWERED_AT_ONCE,
        STRAY_CALL;

        @Override
        public void close() {}
    }

    private static final ThreadLocal<@Nullable CallContext> CURRENT = new ThreadLocal<>();

    private final Ticker ticker;
    private final @Nullable CallContext outer;
    private final long startedAt;
    private long now;
    private long timeAllowed;
    private @Nullable Reservation reservation;

    private CallContext(Ticker ticker, @Nullable CallContext outer, long startedAt, long timeAllowed) {
        this.ticker = ticker;
        this.outer = outer;
        this.startedAt = startedAt;
        this.now = startedAt;
        this.timeAllowed = timeAllowed;
        this.reservation = outer == null ? null : outer.reservation();
    }

    /** The context of the calling thread, or null outside of any flow. */
    public static @Nullable CallContext current() {
        return CURRENT.get();
    }

    /**
     * The context of the calling thread, for stages that only work inside a flow.
     *
     * @throws IllegalStateException when there is none
     */
    public static CallContext required() {
        CallContext callContext = CURRENT.get();
        if (callContext == null) {
            throw new IllegalStateException("this stage only works inside a flow: build one with Flow.named(...)");
        }
        return callContext;
    }

    /**
     * Begins a context on the calling thread. If the thread already has one, the new context is nested in it, and its
     * deadline is never later than the outer one's. Call {@link #end()} in a finally block.
     *
     * @param ticker the clock of the flow
     * @return the new context
     */
    public static CallContext begin(Ticker ticker) {
        CallContext outer = CURRENT.get();
        CallContext inner =
                new CallContext(ticker, outer, ticker.nanos(), outer == null ? NEVER : outer.freshTimeLeft());
        CURRENT.set(inner);
        return inner;
    }

    /**
     * Ends this context and restores the outer one. The {@link ThreadLocal} is set, not removed, even when the outer context
     * is null: a removed entry would be allocated again for the next transaction.
     */
    public void end() {
        CURRENT.set(outer);
    }

    /** The last clock reading, in nanoseconds: from the start, or from the latest {@link #tick()}. */
    public long now() {
        return now;
    }

    /** Reads the clock again. Call it after anything that may have blocked. */
    public long tick() {
        now = ticker.nanos();
        if (reservation == Used.ANSWERED_AT_ONCE) {
            reservation = null;
        }
        return now;
    }

    /**
     * Records that one attempt took the whole time from the start to the last reading and was answered. The attempt and the
     * transaction then took the same time, and both are recorded at once. The next {@link #tick()} clears this.
     */
    public void answeredAtOnce() {
        reservation = Used.ANSWERED_AT_ONCE;
    }

    /** Whether one attempt took the whole time from the start to the last reading and was answered. */
    public boolean isAnsweredAtOnce() {
        return reservation == Used.ANSWERED_AT_ONCE;
    }

    /** Records that the attempt has ended while its call still runs: the call releases the permit, not the attempt. */
    public void leaveStrayCall() {
        reservation = Used.STRAY_CALL;
    }

    /** Whether the call of the last attempt outlived the attempt. Clears the flag, so a second call returns false. */
    public boolean takeStrayCall() {
        boolean stray = reservation == Used.STRAY_CALL;
        if (stray) {
            reservation = null;
        }
        return stray;
    }

    /** Nanoseconds from the start to the last reading. */
    public long elapsed() {
        return now - startedAt;
    }

    /** Whether this transaction has a deadline. */
    public boolean hasDeadline() {
        return timeAllowed < NEVER;
    }

    /** The deadline as a reading of the flow's ticker; far in the future when there is none. */
    public long deadline() {
        return startedAt + timeAllowed;
    }

    /** Nanoseconds left as of the last reading; negative after the deadline, huge when there is none. */
    public long timeLeft() {
        return timeAllowed - elapsed();
    }

    /**
     * Shortens the deadline. A later deadline than the current one changes nothing.
     *
     * @param nanos time allowed from the last reading on
     */
    public void allowAtMost(long nanos) {
        timeAllowed = Math.min(timeAllowed, elapsed() + nanos);
    }

    /**
     * Replaces the deadline, also by a later one. For a batch, which may still take in transactions before it is sent.
     *
     * @param nanos time allowed from the last reading on; {@code Long.MAX_VALUE} for no deadline
     */
    public void allow(long nanos) {
        timeAllowed = nanos >= NEVER ? NEVER : elapsed() + nanos;
    }

    /** Attaches a reservation that was made before the transaction began. Nested contexts inherit it. */
    public void attach(Reservation made) {
        reservation = made;
    }

    /** The attached reservation, used or not; null when there is none. */
    public @Nullable Reservation reservation() {
        return reservation instanceof Used ? null : reservation;
    }

    Ticker ticker() {
        return ticker;
    }

    private long freshTimeLeft() {
        return hasDeadline() ? timeAllowed - (ticker.nanos() - startedAt) : NEVER;
    }
}
