package dev.penstock;

import org.jspecify.annotations.Nullable;

/**
 * What one transaction carries while it crosses a flow: its deadline, and the last reading of the clock.
 *
 * <h2>Design note</h2>
 *
 * <p>One clock reading costs about as much as a whole stage, so the stages share theirs: the meter reads once at the start
 * and once when the attempt has ended; a stage in between reads again only after it has waited. A transit belongs to the
 * one thread that carries the transaction, so its fields are plain.
 *
 * <p>It is bound to that thread by a {@link ThreadLocal} rather than a {@link ScopedValue}: a scoped binding allocates a
 * carrier, a snapshot and a lambda for each call (about 100 bytes), and the whole way through a flow is to cost no more
 * than 48. A flow called from within another sees the outer transit, and so its deadline.
 *
 * <p>Its fields fill those 48 bytes to the last. So that an attempt was answered at once, or left a stray call, is noted where the
 * place stands, of which nothing is wanted any more by then.
 *
 * <p>Not safe for more than the thread that it is bound to. To go on in another thread, hand over {@link
 * Deadline#current()}.
 */
public final class CallContext {
    /** The deadline of a transaction that has none: later than any reading for 146 years. */
    static final long NEVER = Long.MAX_VALUE / 2;

    /** What stands for a place once the attempt that made use of it has ended. */
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
    private @Nullable Reservation place;

    private CallContext(Ticker ticker, @Nullable CallContext outer, long startedAt, long timeAllowed) {
        this.ticker = ticker;
        this.outer = outer;
        this.startedAt = startedAt;
        this.now = startedAt;
        this.timeAllowed = timeAllowed;
        this.place = outer == null ? null : outer.place();
    }

    /** The transit that the calling thread carries, or null outside of any. */
    public static @Nullable CallContext current() {
        return CURRENT.get();
    }

    /**
     * The transit that the calling thread carries, for stages that stand inside of a flow.
     *
     * @throws IllegalStateException when it carries none
     */
    public static CallContext required() {
        CallContext callContext = CURRENT.get();
        if (callContext == null) {
            throw new IllegalStateException("this stage works inside of a flow only: build one with Flow.named(...)");
        }
        return callContext;
    }

    /**
     * Begins a transit on the calling thread, inside the one that it may carry already; the time left of that one bounds
     * this one's. Pair it with {@link #end()} in a finally.
     *
     * @param ticker the clock of the flow that is entered
     * @return the new transit
     */
    public static CallContext begin(Ticker ticker) {
        CallContext outer = CURRENT.get();
        CallContext inner = new CallContext(ticker, outer, ticker.nanos(), outer == null ? NEVER : outer.freshTimeLeft());
        CURRENT.set(inner);
        return inner;
    }

    /**
     * Ends this transit and gives the thread back the one around it. The thread's slot is set, not removed, even when that
     * one is null: a removed slot is allocated anew for the next transaction.
     */
    public void end() {
        CURRENT.set(outer);
    }

    /** The last reading of the clock, in nanoseconds: as of the start, or of the latest {@link #tick()}. */
    public long now() {
        return now;
    }

    /** Reads the clock again. Call it after anything that may have waited. */
    public long tick() {
        now = ticker.nanos();
        if (place == Used.ANSWERED_AT_ONCE) {
            place = null;
        }
        return now;
    }

    /**
     * Notes that an attempt which began at the start was answered at the last reading, so that its time is this transit's
     * time and both can be recorded as one. Undone by the next {@link #tick()}.
     */
    public void answeredAtOnce() {
        place = Used.ANSWERED_AT_ONCE;
    }

    /** Whether an attempt took all of the time from the start to the last reading, and was answered. */
    public boolean isAnsweredAtOnce() {
        return place == Used.ANSWERED_AT_ONCE;
    }

    /** Notes that the attempt has ended, and its call still runs: its permit is given back by the call, not by the attempt. */
    public void leaveStrayCall() {
        place = Used.STRAY_CALL;
    }

    /** Whether the call of the last attempt still runs, or did when the attempt ended. False when asked again. */
    public boolean takeStrayCall() {
        boolean stray = place == Used.STRAY_CALL;
        if (stray) {
            place = null;
        }
        return stray;
    }

    /** Nanoseconds from the start to the last reading. */
    public long elapsed() {
        return now - startedAt;
    }

    /** Whether this transit has to be over by some time. */
    public boolean hasDeadline() {
        return timeAllowed < NEVER;
    }

    /** The reading of the flow's ticker by which it has to be over; far in the future when it has no deadline. */
    public long deadline() {
        return startedAt + timeAllowed;
    }

    /** Nanoseconds left as of the last reading; negative when the time is up, huge when there is no deadline. */
    public long timeLeft() {
        return timeAllowed - elapsed();
    }

    /**
     * Brings the deadline forward; a later one than it has changes nothing.
     *
     * @param nanos time allowed from the last reading on
     */
    public void allowAtMost(long nanos) {
        timeAllowed = Math.min(timeAllowed, elapsed() + nanos);
    }

    /**
     * Sets the deadline anew, also to a later one: for what stands for several transactions, whose number may grow before it
     * is sent.
     *
     * @param nanos time allowed from the last reading on; {@code Long.MAX_VALUE} for no deadline
     */
    public void allow(long nanos) {
        timeAllowed = nanos >= NEVER ? NEVER : elapsed() + nanos;
    }

    /** Takes along a place that the transaction has already; transits that begin inside of this one see it too. */
    public void bring(Reservation taken) {
        place = taken;
    }

    /** The place that was brought along, used or not; null for none. */
    public @Nullable Reservation place() {
        return place instanceof Used ? null : place;
    }

    Ticker ticker() {
        return ticker;
    }

    private long freshTimeLeft() {
        return hasDeadline() ? timeAllowed - (ticker.nanos() - startedAt) : NEVER;
    }
}
