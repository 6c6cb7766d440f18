package dev.penstock.collapse;

import dev.penstock.CallContext;
import dev.penstock.CollapseSettings;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request in a batch, and the caller that waits for its ending.
 *
 * <h2>Design note</h2>
 *
 * <p>Caller and batch race for the field {@code state}. It is null while the request waits; the batch sets it to {@code SENT}
 * when it sends the request, and finally to an ending. A caller that gives up sets an ending itself: rejected if the state
 * was null, since the request was never sent; unknown if it was SENT. Each step is a compare-and-set, so exactly one side
 * sets the ending, and the other side sees it.
 *
 * <p>The items of an open batch are a stack. Each item refers to the one below it and holds totals over itself and all items
 * below, so one compare-and-set of the top checks every limit of the batch.
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
    private final @Nullable Observation observation;
    private final long arrival;
    private final long timeLeft;
    private final boolean trial;
    private final @Nullable Object mergeKey;
    private final @Nullable Object uniqueKey;
    private final long size;
    private @Nullable BatchItem<Q, R> before;
    private int count;
    private int slots;
    private long bytes;
    private long earliestDeadline;
    private @Nullable BatchItem<Q, R> same;
    private boolean gaveUpUnsent;

    @SuppressWarnings("unused") // by STATE
    private volatile @Nullable Object state;

    private BatchItem(
            Q request,
            @Nullable Thread caller,
            CallContext callContext,
            boolean trial,
            @Nullable Object mergeKey,
            @Nullable Object uniqueKey,
            long size) {
        this.request = request;
        this.caller = caller;
        this.observation = callContext.observation();
        this.arrival = callContext.now();
        this.timeLeft = callContext.hasDeadline() ? callContext.timeLeft() : Long.MAX_VALUE;
        this.trial = trial;
        this.mergeKey = mergeKey;
        this.uniqueKey = uniqueKey;
        this.size = size;
    }

    /**
     * Creates an item in state waiting. The functions of the settings are called here, once, on the caller's thread, so an
     * exception affects only this caller.
     *
     * @param caller the thread to wake when the request ends; null for none
     * @param callContext its arrival time and deadline
     * @param trial whether it is sent although it probably cannot be answered in time
     * @throws Failed a function of the settings threw
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
                    key(settings.grouping().same(), request),
                    key(settings.grouping().unique(), request),
                    Math.max(0, settings.bounds().size().applyAsLong(request)));
        } catch (RuntimeException | Error broken) {
            throw CollapseSettings.broken(broken);
        }
    }

    private static <Q> @Nullable Object key(
            @Nullable Function<? super Q, ? extends @Nullable Object> function, Q request) {
        return function == null ? null : function.apply(request);
    }

    /**
     * Links it on top of a stack and computes its totals, before other threads can see it.
     *
     * @param top the current top; null for an empty stack
     * @param takesSlot whether it needs a slot; false when it is merged with an equal request
     */
    void pushOnto(@Nullable BatchItem<Q, R> top, boolean takesSlot) {
        before = top;
        count = 1;
        slots = takesSlot ? 1 : 0;
        bytes = takesSlot ? size : 0;
        earliestDeadline = timeLeft == Long.MAX_VALUE ? Long.MAX_VALUE : arrival + timeLeft;
        if (top != null) {
            count += top.count;
            slots += top.slots;
            bytes += top.bytes;
            earliestDeadline = earlier(earliestDeadline, top.earliestDeadline);
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

    /** The key by which equal requests are merged; null when it is not merged. */
    @Nullable
    Object mergeKey() {
        return mergeKey;
    }

    /** The key that must be unique within a batch; null for no restriction. */
    @Nullable
    Object uniqueKey() {
        return uniqueKey;
    }

    /** Its size in bytes. */
    long size() {
        return size;
    }

    /** What follows its transaction; null when it is not observed. */
    @Nullable
    Observation observation() {
        return observation;
    }

    long arrival() {
        return arrival;
    }

    /** The number of callers up to this item. */
    int count() {
        return count;
    }

    /** The number of slots that the items up to this one need; merged requests share one. */
    int slots() {
        return slots;
    }

    /** The size of the items up to this one, in bytes. */
    long bytes() {
        return bytes;
    }

    /** The time until the earliest deadline of the items up to this one, in nanoseconds; {@code Long.MAX_VALUE} for none. */
    long slack(long now) {
        return earliestDeadline == Long.MAX_VALUE ? Long.MAX_VALUE : earliestDeadline - now;
    }

    /** The time until the deadline of this item, in nanoseconds; {@code Long.MAX_VALUE} for none. */
    long left(long now) {
        return timeLeft == Long.MAX_VALUE ? Long.MAX_VALUE : timeLeft - (now - arrival);
    }

    /** The longest time left of any caller that waits for this answer, in nanoseconds. */
    long longestLeft(long now) {
        long longest = Long.MIN_VALUE;
        for (BatchItem<Q, R> each = this; each != null; each = each.same) {
            longest = Math.max(longest, each.left(now));
        }
        return longest;
    }

    /** Whether its caller gave up before it was sent. Only for the caller's thread. */
    boolean gaveUpUnsent() {
        return gaveUpUnsent;
    }

    /** The next item merged with this one; null for none. */
    @Nullable
    BatchItem<Q, R> same() {
        return same;
    }

    /** Merges this item into the leader, whose request is sent for both. */
    void mergeInto(BatchItem<Q, R> leader) {
        same = leader.same;
        leader.same = this;
    }

    /**
     * Marks it and the items merged with it as sent. An item that can no longer be answered in time is rejected instead,
     * unless it was sent before.
     *
     * @return whether any caller still waits, so that the request must be sent
     */
    boolean markSent(long now, CallTime callTime) {
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

    /** Sets the ending, unless there is one already, and wakes the caller. */
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

    /** Sets the ending if the request was not sent; returns whether it did. */
    boolean endUnsent(Ending ending) {
        return STATE.compareAndSet(this, null, ending);
    }

    /**
     * Wakes the caller when its time is up.
     *
     * @return the time left of a caller that still waits, in nanoseconds; {@code Long.MAX_VALUE} for no such caller
     */
    long wakeLate(long now) {
        if (state instanceof Ending) {
            return Long.MAX_VALUE;
        }
        long left = left(now);
        if (left > 0) {
            return left;
        }
        LockSupport.unpark(caller);
        return Long.MAX_VALUE;
    }

    /**
     * Waits for the ending. Only for the caller's thread.
     *
     * @param watched whether {@link #wakeLate} is called when its time is up
     */
    Ending await(Ticker ticker, boolean watched) {
        while (true) {
            if (state instanceof Ending ending) {
                return ending;
            }
            if (Thread.currentThread().isInterrupted()) {
                return giveUp(true);
            }
            if (timeLeft < Long.MAX_VALUE && left(ticker.nanos()) <= 0) {
                return giveUp(false);
            }
            if (watched) {
                LockSupport.park(this);
            } else {
                ticker.parkUntil(arrival + timeLeft);
            }
        }
    }

    /** The caller gives up; returns the ending that won the race. */
    private Ending giveUp(boolean interrupted) {
        while (true) {
            Object now = state;
            if (now instanceof Ending ending) {
                return ending;
            }
            Ending mine = now instanceof Taken ? inDoubt(interrupted) : neverSent(interrupted);
            if (STATE.compareAndSet(this, now, mine)) {
                gaveUpUnsent = now == null;
                return mine;
            }
        }
    }

    private static Ending inDoubt(boolean interrupted) {
        return interrupted
                ? new Unknown(Unknown.Cause.INTERRUPTED, "the caller was interrupted while its batch was at the target")
                : new Unknown(
                        Unknown.Cause.TIMEOUT,
                        "no answer within the time allowed; the call of its batch is still in progress");
    }

    private static Ending neverSent(boolean interrupted) {
        return interrupted
                ? new Rejected(Rejected.Cause.QUEUE, "the caller was interrupted before its batch was sent")
                : new Rejected(Rejected.Cause.DEADLINE, "the deadline passed before its batch was sent");
    }
}
