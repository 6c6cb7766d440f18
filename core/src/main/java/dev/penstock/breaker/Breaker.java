package dev.penstock.breaker;

import dev.penstock.BreakerSettings;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.breaker.BreakerController.Share;
import dev.penstock.breaker.BreakerController.Tally;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.breaker.BreakerState.HalfOpen;
import dev.penstock.breaker.BreakerState.Open;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.Timings;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * A circuit breaker: rejects calls immediately while the target only fails or gives no answers at all.
 *
 * <p>A call counts as failed when it cannot connect or ends as {@link Unknown}, unless the fault is {@linkplain
 * Unanswered#isOwnFault() that of this process}. Answers and permanent refusals show that the target is alive. {@link
 * BreakerController} has the rules for opening and closing.
 *
 * <h2>Design note</h2>
 *
 * <p>While the breaker is closed, an answered call costs three volatile reads and counts nothing, since the attempt meter
 * counts answers anyway. Every {@link #CHECK_INTERVAL_NANOS} one of the incoming calls advances the windows and checks for a
 * lack of answers. There is no timer thread; without incoming calls nothing needs protection.
 *
 * <p>Opening and closing happen under a lock that includes the notification of the {@link Listener}, so that the listener is
 * notified of every change once and in order. All other changes are compare-and-set.
 *
 * <p>Thread-safe.
 */
public final class Breaker {
    /** Is notified when the breaker opens and closes. Called on the thread of a call: must return quickly and not throw. */
    public interface Listener {
        /**
         * The breaker opened; until {@link #resumed} only trial calls reach the target.
         *
         * @param now the reading of the ticker
         */
        void cutOff(long now);

        /**
         * The breaker closed.
         *
         * @param now the reading of the ticker
         */
        void resumed(long now);
    }

    static final long CHECK_INTERVAL_NANOS = 100_000_000;

    private static final Listener NOBODY = new Listener() {
        @Override
        public void cutOff(long now) {}

        @Override
        public void resumed(long now) {}
    };

    private final BreakerSettings settings;
    private final BreakerController controller;
    private final AtomicReference<BreakerState> state = new AtomicReference<>(Closed.fresh(0));
    private final AttemptMeter attempts;
    private final CallCounts counts;
    private final AtomicLong nextCheck;
    private final LongAdder opened = new LongAdder();
    private final Ticker ticker;
    private final Object changes = new Object();
    private volatile Listener listener = NOBODY;
    private volatile NoAnswer noAnswer = NoAnswer.NONE;
    private volatile long typicalNanos;

    /**
     * A closed breaker.
     *
     * @param settings when it opens and closes
     * @param attempts the attempt meter of the flow, which counts the answers of the target
     * @param ticker the clock of the flow
     */
    public Breaker(BreakerSettings settings, AttemptMeter attempts, Ticker ticker) {
        long now = ticker.nanos();
        this.settings = settings;
        this.ticker = ticker;
        this.attempts = attempts;
        this.controller = BreakerController.of(settings);
        this.counts = new CallCounts(attempts, now);
        this.nextCheck = new AtomicLong(now + CHECK_INTERVAL_NANOS);
    }

    /**
     * Sets the listener for opening and closing. It is notified once per change, in order, one call at a time. When a failed
     * trial call opens the breaker again, it is not notified, since the breaker was not closed in between.
     *
     * @param replacement replaces the earlier listener; set it before the first call
     */
    public void onChange(Listener replacement) {
        listener = replacement;
    }

    /**
     * Admits a call.
     *
     * @return the state in which it was admitted, for its ending
     * @throws Rejected cause breaker
     */
    BreakerState enter(long now) throws Rejected {
        if (now - nextCheck.get() >= 0) {
            check(now);
        }
        BreakerState before = state.get();
        while (!(before instanceof Closed)) {
            BreakerState after = controller.admit(before, counts.alive(), now);
            if (!controller.admits(before, after)) {
                throw rejection(after, now);
            }
            if (replace(before, after, now)) {
                return after;
            }
            before = state.get();
        }
        return before;
    }

    /**
     * Rejects a request if a call would be rejected now. Otherwise no trial call is reserved, and the call may still be
     * rejected later.
     *
     * @param now the reading of the ticker, in nanoseconds
     * @throws Rejected cause breaker, if the breaker is open or all trial calls are in flight
     */
    public void rejectIfOpen(long now) throws Rejected {
        if (now - nextCheck.get() >= 0) {
            check(now);
        }
        BreakerState before = state.get();
        if (before instanceof Closed) {
            return;
        }
        BreakerState after = controller.admit(before, counts.alive(), now);
        if (!controller.admits(before, after)) {
            throw rejection(after, now);
        }
    }

    /**
     * The number of calls that would pass now: {@link Integer#MAX_VALUE} while closed, 0 while open, the number of trial calls
     * left while half-open.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    public int headroom(long now) {
        BreakerState before = state.get();
        BreakerState after = controller.admit(before, counts.alive(), now);
        if (!controller.admits(before, after)) {
            return 0;
        }
        // The trials include the one just admitted by this check.
        return after instanceof HalfOpen half ? settings.trials() - half.trials() + 1 : Integer.MAX_VALUE;
    }

    /** Advances the windows and checks for a lack of answers, on one thread at a time. */
    private void check(long now) {
        long due = nextCheck.get();
        BreakerState before = state.get();
        if (now - due < 0 || !nextCheck.compareAndSet(due, now + CHECK_INTERVAL_NANOS)) {
            return;
        }
        counts.advance(now);
        long mean = counts.meanAnswerNanos(settings.fewestCalls(), now);
        if (mean > 0) {
            typicalNanos = mean;
        }
        long alive = counts.alive();
        long out = attempts.inFlight();
        NoAnswer next = noAnswer.next(alive, controller.isEnoughForSilence(out), now);
        noAnswer = next;
        change(before.epoch(), now, closed -> controller.afterCheck(closed, next, typicalNanos, out, now));
    }

    /** A call was answered. */
    void answered(BreakerState entered, long now) {
        if (entered instanceof Closed && state.get() instanceof Closed) {
            return;
        }
        change(entered.epoch(), now, controller::afterAnswer);
    }

    /** A call ended in a way that shows nothing about the target. */
    void ignored(BreakerState entered, long now) {
        change(entered.epoch(), now, controller::afterIgnored);
    }

    void ended(Unanswered ending, BreakerState entered, long now) {
        long epoch = entered.epoch();
        switch (ending) {
            case Rejected rejected -> ignored(entered, now);
            case Unanswered ours
            when ours.isOwnFault() -> {
                // While this process fails, a lack of answers shows nothing about the target.
                noAnswer = NoAnswer.NONE;
                ignored(entered, now);
            }
            case Failed failed when failed.why() == Failed.Cause.CONNECT -> failed(epoch, now, true);
            case Failed refused -> refused(epoch, now);
            case Unknown unknown -> failed(epoch, now, false);
        }
    }

    private void refused(long epoch, long now) {
        counts.refused(now);
        change(epoch, now, controller::afterAnswer);
    }

    private void failed(long epoch, long now, boolean unconnected) {
        if (state.get().epoch() == epoch) {
            counts.failed(now);
            Tally tally = counts.tally(now);
            change(epoch, now, before -> controller.afterFailure(before, unconnected, tally, now));
        }
    }

    /** Applies a state change, unless the epoch is over. */
    private void change(long epoch, long now, Step step) {
        BreakerState before = state.get();
        while (before.epoch() == epoch) {
            BreakerState after = step.from(before);
            if (after.equals(before) || replace(before, after, now)) {
                return;
            }
            before = state.get();
        }
    }

    private boolean replace(BreakerState before, BreakerState after, long now) {
        boolean wasClosed = before instanceof Closed;
        if (wasClosed == after instanceof Closed) {
            boolean replaced = state.compareAndSet(before, after);
            if (replaced && after instanceof Open) {
                opened.increment();
            }
            return replaced;
        }
        synchronized (changes) {
            if (!state.compareAndSet(before, after)) {
                return false;
            }
            if (wasClosed) {
                opened.increment();
                listener.cutOff(now);
            } else {
                // A new epoch starts with empty counts.
                counts.clear(now);
                noAnswer = NoAnswer.NONE;
                listener.resumed(now);
            }
            return true;
        }
    }

    private static Rejected rejection(BreakerState state, long now) {
        long left = state instanceof Open open ? Math.max(0, open.until() - now) : 0;
        String why = state instanceof Open open
                ? "the breaker is open: " + open.reason() + "; trial calls begin in " + Durations.format(left)
                : "the breaker is half-open and its trial calls are in flight";
        return new Rejected(Rejected.Cause.BREAKER, why, Duration.ofNanos(Math.max(left, 1_000_000_000L)), null);
    }

    /** The state: {@code closed}, {@code open} or {@code half-open}. */
    public String state() {
        return state.get().label();
    }

    /** The reason for this state: one sentence, with numbers. */
    public String reason() {
        return switch (state.get()) {
            case Closed closed -> recently();
            case Open open -> open.reason();
            case HalfOpen half -> "%d of %d trial calls were answered".formatted(half.answered(), settings.trials());
        };
    }

    private String recently() {
        Share recent = counts.recent(ticker.nanos());
        return "%d of %d calls failed in the last 10 s".formatted(recent.failures(), recent.calls());
    }

    /** How often it has opened, including after failed trial calls. */
    public long opened() {
        return opened.sum();
    }

    /** How often it has opened, and its state. */
    public StageReport report() {
        return new StageReport("breaker", opened(), 0, 0, 0, state() + ": " + reason(), Timings.none());
    }

    @FunctionalInterface
    private interface Step {
        BreakerState from(BreakerState before);
    }
}
