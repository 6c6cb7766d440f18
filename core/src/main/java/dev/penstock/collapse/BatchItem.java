package dev.penstock.collapse;

import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unknown;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request in a batch, and its caller, who waits for its ending.
 *
 * <h2>Design note</h2>
 *
 * <p>Caller and batch race for one field. It is null while the request waits; the batch makes it {@code SENT} when it takes
 * the request along, and an ending in the end. A caller who gives up makes it an ending of his own: rejected when it was
 * null, so the request was never sent; unknown when it was SENT. Each step is a compare-and-set, so exactly one of them
 * ends it, and the other one sees how.
 *
 * <p>Items of an open batch are a stack: each knows the one before it, and sums over all up to itself, so that one
 * compare-and-set of the top checks every bound of the batch.
 */
final class BatchItem<Q, R> {
    private enum Taken {
        SENT
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(BatchItem.class, "state", Object.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Q request;
    private final @Nullable Thread caller;
    private final long arrival;
    private final long timeLeft;
    private final boolean trial;
    private final @Nullable Object asksFor;
    private final @Nullable Object alone;
    private final long size;
    private @Nullable BatchItem<Q, R> before;
    private int count;
    private int places;
    private long bytes;
    private long soonest;
    private @Nullable BatchItem<Q, R> same;
    private boolean hasLeft;

    @SuppressWarnings("unused") // by STATE
    private volatile @Nullable Object state;

    private BatchItem(
            Q request,
            @Nullable Thread caller,
            CallContext callContext,
            boolean trial,
            @Nullable Object asksFor,
            @Nullable Object alone,
            long size) {
        this.request = request;
        this.caller = caller;
        this.arrival = callContext.now();
        this.timeLeft = callContext.hasDeadline() ? callContext.timeLeft() : Long.MAX_VALUE;
        this.trial = trial;
        this.asksFor = asksFor;
        this.alone = alone;
        this.size = size;
    }

    /**
     * A request that waits. What the functions of the settings say is asked here, once, on the caller's thread: so whatever
     * they throw is his alone.
     *
     * @param caller to be woken when it ends; null for nobody
     * @param callContext tells when it came, and how long it may take
     * @param trial whether it is sent although hardly anybody can answer it in time
     */
    static <Q, R> BatchItem<Q, R> of(
            Q request, @Nullable Thread caller, CallContext callContext, boolean trial, CollapseSettings<Q, R> settings)
            throws Failed {
        try {
            return new BatchItem<>(
                    request,
                    caller,
                    callContext,
                    trial,
                    key(settings.same(), request),
                    key(settings.unique(), request),
                    Math.max(0, settings.size().applyAsLong(request)));
        } catch (RuntimeException | Error broken) {
            throw CollapseSettings.broken(broken);
        }
    }

    private static <Q> @Nullable Object key(
            @Nullable Function<? super Q, ? extends @Nullable Object> function, Q request) {
        return function == null ? null : function.apply(request);
    }

    /**
     * Puts it on top of a stack, not yet seen by others.
     *
     * @param top null for none
     * @param place whether it takes a place of its own
     */
    void over(@Nullable BatchItem<Q, R> top, boolean place) {
        before = top;
        count = 1;
        places = place ? 1 : 0;
        bytes = place ? size : 0;
        soonest = timeLeft == Long.MAX_VALUE ? Long.MAX_VALUE : arrival + timeLeft;
        if (top != null) {
            count += top.count;
            places += top.places;
            bytes += top.bytes;
            soonest = earlier(soonest, top.soonest);
        }
    }

    private static long earlier(long one, long other) {
        if (one == Long.MAX_VALUE || other == Long.MAX_VALUE) {
            return one == Long.MAX_VALUE ? other : one;
        }
        return one - other < 0 ? one : other;
    }

    Q request() {
        return request;
    }

    @Nullable
    BatchItem<Q, R> before() {
        return before;
    }

    /** What it asks for; null when it stays by itself. */
    @Nullable
    Object asksFor() {
        return asksFor;
    }

    /** What no other request of its batch may have; null for nothing. */
    @Nullable
    Object alone() {
        return alone;
    }

    /** How many bytes it adds. */
    long size() {
        return size;
    }

    long arrival() {
        return arrival;
    }

    /** How many callers it and all before it are. */
    int count() {
        return count;
    }

    /** How many places of the batch they take; fewer where some ask for the same. */
    int places() {
        return places;
    }

    /** How many bytes they have. */
    long bytes() {
        return bytes;
    }

    /** How long the most pressing of them has left; {@code Long.MAX_VALUE} for ever. */
    long slack(long now) {
        return soonest == Long.MAX_VALUE ? Long.MAX_VALUE : soonest - now;
    }

    /** How long this one has left; {@code Long.MAX_VALUE} for ever. */
    long left(long now) {
        return timeLeft == Long.MAX_VALUE ? Long.MAX_VALUE : timeLeft - (now - arrival);
    }

    /** The longest time that anybody has left who waits for its answer. */
    long longestLeft(long now) {
        long longest = Long.MIN_VALUE;
        for (BatchItem<Q, R> each = this; each != null; each = each.same) {
            longest = Math.max(longest, each.left(now));
        }
        return longest;
    }

    /** Whether its caller has left before it was sent. Told on the caller's thread. */
    boolean hasLeft() {
        return hasLeft;
    }

    /** The next one that asks for the same, of those that are sent as one. */
    @Nullable
    BatchItem<Q, R> same() {
        return same;
    }

    /** This one, with its like behind it, goes along with the leader. */
    void joins(BatchItem<Q, R> leader) {
        same = leader.same;
        leader.same = this;
    }

    /**
     * Takes it along, unless all who wait for it have left. What cannot be answered in time any more is rejected instead,
     * unless it has been sent before.
     */
    boolean departs(long now, CallTime callTime) {
        boolean wanted = false;
        for (BatchItem<Q, R> each = this; each != null; each = each.same) {
            wanted |= each.take(now, callTime);
        }
        return wanted;
    }

    private boolean take(long now, CallTime callTime) {
        long left = left(now);
        if (state == null && !trial && callTime.isHopeless(left)) {
            end(callTime.hopeless(left));
            return false;
        }
        return STATE.compareAndSet(this, null, Taken.SENT) || state instanceof Taken;
    }

    /** Ends it, unless it has ended already, and wakes its caller. */
    void end(Ending ending) {
        Object now = state;
        while (!(now instanceof Ending)) {
            if (STATE.compareAndSet(this, now, ending)) {
                LockSupport.unpark(caller);
                return;
            }
            now = state;
        }
    }

    /** Ends it unless it was sent; whether it did. */
    boolean endUnsent(Ending ending) {
        return STATE.compareAndSet(this, null, ending);
    }

    /** Waits, on the caller's thread, for the ending. */
    Ending await(Ticker ticker) {
        while (true) {
            if (state instanceof Ending ending) {
                return ending;
            }
            if (Thread.currentThread().isInterrupted()) {
                return giveUp(true);
            }
            if (timeLeft == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else if (left(ticker.nanos()) <= 0) {
                return giveUp(false);
            } else {
                ticker.parkUntil(arrival + timeLeft);
            }
        }
    }

    /** The caller leaves; its ending is what stands then. */
    private Ending giveUp(boolean interrupted) {
        while (true) {
            Object now = state;
            if (now instanceof Ending ending) {
                return ending;
            }
            Ending mine = now instanceof Taken ? inDoubt(interrupted) : neverSent(interrupted);
            if (STATE.compareAndSet(this, now, mine)) {
                hasLeft = now == null;
                return mine;
            }
        }
    }

    private static Ending inDoubt(boolean interrupted) {
        return interrupted
                ? new Unknown(Unknown.Cause.INTERRUPTED, "the caller was interrupted while its batch was at the target")
                : new Unknown(Unknown.Cause.TIMEOUT, "no answer within the time allowed; its batch is still out");
    }

    private static Ending neverSent(boolean interrupted) {
        return interrupted
                ? new Rejected(Rejected.Cause.QUEUE, "the caller was interrupted before its batch was sent")
                : new Rejected(Rejected.Cause.DEADLINE, "the time was up before its batch was sent");
    }
}
