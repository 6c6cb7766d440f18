package dev.penstock;

import dev.penstock.text.Durations;
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
 * 48 bytes, which the fields fill. A flow called from within another flow inherits the outer context, and so its deadline.
 *
 * <p>Not thread-safe: only for the thread that it is bound to. To continue in another thread, pass on
 * {@link Deadline#current()}.
 */
public sealed class CallContext {
    /**
     * A permit, or a position in the wait queue, acquired before the transaction begins. So a request can be admitted or
     * rejected before it is handed to another thread. Begin the transaction with {@link CallContext#begin(Ticker, Reservation)}.
     *
     * <p>Thread-safe.
     */
    public interface Reservation extends AutoCloseable {
        /** Releases the reservation unless the transaction has used it. Idempotent. */
        @Override
        void close();
    }

    /** The time allowed to a transaction without a deadline: 146 years. */
    private static final long NEVER = Durations.LONGEST_NANOS;

    /** A context with a reservation that was made before the transaction began. */
    private static final class Admitted extends CallContext {
        private final Reservation reservation;

        private Admitted(Ticker ticker, @Nullable CallContext outer, Reservation reservation) {
            super(ticker, outer);
            this.reservation = reservation;
        }
    }

    /** A context that can have an observation, which the others have no room for. */
    private static final class Observed extends CallContext {
        private @Nullable Observation observation;

        private Observed(Ticker ticker, @Nullable CallContext outer) {
            super(ticker, outer);
        }

        @Override
        public @Nullable Observation observation() {
            return observation;
        }
    }

    private static final ThreadLocal<@Nullable CallContext> CURRENT = new ThreadLocal<>();

    private final Ticker ticker;
    private final @Nullable CallContext outer;
    private final long startedAt;
    private long now;
    private long timeAllowed;
    private boolean strayCall;

    private CallContext(Ticker ticker, @Nullable CallContext outer) {
        this.ticker = ticker;
        this.outer = outer;
        this.startedAt = ticker.nanos();
        this.now = startedAt;
        this.timeAllowed = outer == null ? NEVER : outer.freshTimeLeft();
    }

    /** {@return the context of the calling thread, or null outside of any flow} */
    public static @Nullable CallContext current() {
        return CURRENT.get();
    }

    /**
     * {@return the context of the calling thread, for stages that only work inside a flow}
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
        return bind(new CallContext(ticker, CURRENT.get()));
    }

    /**
     * As above, with a reservation that was made before the transaction began. Nested contexts inherit it.
     *
     * @param ticker the clock of the flow
     * @param made the reservation
     * @return the new context
     */
    public static CallContext begin(Ticker ticker, Reservation made) {
        return bind(new Admitted(ticker, CURRENT.get(), made));
    }

    /**
     * As above, for a transaction or batch that may be observed.
     *
     * @param ticker the clock of the flow
     * @return the new context
     */
    public static CallContext beginObserved(Ticker ticker) {
        return bind(new Observed(ticker, CURRENT.get()));
    }

    private static CallContext bind(CallContext context) {
        CURRENT.set(context);
        return context;
    }

    /**
     * Ends this context and restores the outer one. The {@link ThreadLocal} is set, not removed, even when the outer context
     * is null: a removed entry would be allocated again for the next transaction.
     */
    public void end() {
        CURRENT.set(outer);
    }

    /** {@return the last clock reading, in nanoseconds: from the start, or from the latest {@link #tick()}} */
    public long now() {
        return now;
    }

    /**
     * Reads the clock again. Call it after anything that may have blocked.
     *
     * @return the new reading
     */
    public long tick() {
        now = ticker.nanos();
        return now;
    }

    /** Records that the attempt has ended while its call still runs: the call releases the permit, not the attempt. */
    public void leaveStrayCall() {
        strayCall = true;
    }

    /** {@return whether the call of the last attempt outlived the attempt} Clears the flag, so a second call returns false. */
    public boolean takeStrayCall() {
        boolean stray = strayCall;
        strayCall = false;
        return stray;
    }

    /** {@return nanoseconds from the start to the last reading} */
    public long elapsed() {
        return now - startedAt;
    }

    /** {@return whether this transaction has a deadline} */
    public boolean hasDeadline() {
        return timeAllowed < NEVER;
    }

    /** {@return the deadline as a reading of the flow's ticker; far in the future when there is none} */
    public long deadline() {
        return startedAt + timeAllowed;
    }

    /** {@return nanoseconds left as of the last reading; negative after the deadline, huge when there is none} */
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

    /** {@return the reservation made for this transaction, used or not; null when there is none} */
    public @Nullable Reservation reservation() {
        for (CallContext context = this; context != null; context = context.outer) {
            if (context instanceof Admitted admitted) {
                return admitted.reservation;
            }
        }
        return null;
    }

    /** {@return what follows this transaction or batch; null when it is not observed} */
    public @Nullable Observation observation() {
        return null;
    }

    /**
     * Sets what follows this transaction or batch. Only after {@link #beginObserved}; otherwise does nothing.
     *
     * @param by what follows it; null for nothing
     */
    public void observe(@Nullable Observation by) {
        if (this instanceof Observed observed) {
            observed.observation = by;
        }
    }

    /** {@return what follows the calling thread's transaction, for targets; null when it is not observed} */
    public static @Nullable Observation currentObservation() {
        for (CallContext context = CURRENT.get(); context != null; context = context.outer) {
            Observation observation = context.observation();
            if (observation != null) {
                return observation;
            }
        }
        return null;
    }

    /**
     * Records a wait of this transaction, if it is observed.
     *
     * @param what what it waited for
     * @param nanos how long
     */
    public void waited(Observation.Wait what, long nanos) {
        Observation observation = observation();
        if (observation != null) {
            observation.waited(what, nanos);
        }
    }

    Ticker ticker() {
        return ticker;
    }

    private long freshTimeLeft() {
        return hasDeadline() ? timeAllowed - (ticker.nanos() - startedAt) : NEVER;
    }
}
