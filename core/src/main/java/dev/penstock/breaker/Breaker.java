package dev.penstock.breaker;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.breaker.BreakerController.Share;
import dev.penstock.breaker.BreakerController.Tally;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.breaker.BreakerState.HalfOpen;
import dev.penstock.breaker.BreakerState.Open;
import dev.penstock.meter.AttemptMeter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * A circuit breaker: rejects at once while the target only fails, or says nothing at all.
 *
 * <p>A call fails when it cannot connect or ends as {@link Unknown} for another cause than an interrupt. Answers of every
 * kind, and refusals for good, show that the target is alive. When it opens is told in {@link BreakerController}.
 *
 * <h2>Design note</h2>
 *
 * <p>While closed, a call that is answered costs three volatile reads and counts nothing, since the attempt meter counts
 * answers anyway. Every {@link #LOOK_NANOS} one of the calls that come in moves the windows on and looks for a silence: there
 * is no thread that could, and where no call comes there is nobody to protect.
 *
 * <p>What opens or closes it happens under a lock together with telling the {@link Listener}, so that it hears of every
 * change once and in order; were it told afterwards, the word of an opening could come after that of the closing. All
 * other changes are compare-and-set.
 *
 * <p>Safe for many threads.
 */
public final class Breaker {
    /** Hears when the target is cut off. Called on the thread of a call: it returns soon, and does not throw. */
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

    static final long LOOK_NANOS = 100_000_000;

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
    private final AtomicLong nextLook;
    private final LongAdder opened = new LongAdder();
    private final Ticker ticker;
    private final Object changes = new Object();
    private volatile Listener listener = NOBODY;
    private volatile NoAnswer silence = NoAnswer.NONE;
    private volatile long typicalNanos;

    /**
     * A closed breaker.
     *
     * @param settings when it opens and closes
     * @param attempts the attempt meter of the flow that it stands in, which counts what the target answers
     * @param ticker the clock of the flow that it stands in
     */
    public Breaker(BreakerSettings settings, AttemptMeter attempts, Ticker ticker) {
        long now = ticker.nanos();
        this.settings = settings;
        this.ticker = ticker;
        this.attempts = attempts;
        this.controller = settings.controller();
        this.counts = new CallCounts(attempts, now);
        this.nextLook = new AtomicLong(now + LOOK_NANOS);
    }

    /**
     * Tells somebody whenever it opens and closes: each time once, in order, one call at a time. A failed trial opens it again
     * without a word, for it was never closed in between.
     *
     * @param who takes the place of whoever was told before; to be set before the first call
     */
    public void onChange(Listener who) {
        listener = who;
    }

    /** Puts this breaker around a service. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return around(next, callContext -> false);
    }

    /**
     * Puts this breaker around a service.
     *
     * @param callersOwn which timeouts tell nothing about the target, as the caller allowed too little time
     */
    public <Q, R> Service<Q, R> around(Service<Q, R> next, Predicate<CallContext> callersOwn) {
        return new Guarded<>(this, next, callersOwn);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Guarded<Q, R>(Breaker breaker, Service<Q, R> next, Predicate<CallContext> callersOwn)
            implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            BreakerState entered = breaker.enter(callContext.now());
            try {
                R answer = next.call(request);
                breaker.answered(entered, callContext);
                return answer;
            } catch (Unanswered ending) {
                if (ending instanceof Unknown late && late.why() == Unknown.Cause.TIMEOUT && callersOwn.test(callContext)) {
                    breaker.change(entered.spell(), callContext.now(), breaker.controller::afterNothing);
                } else {
                    breaker.ended(ending, entered.spell(), callContext.now());
                }
                throw ending;
            } catch (Throwable unexpected) {
                breaker.change(entered.spell(), callContext.now(), breaker.controller::afterNothing);
                throw unexpected;
            }
        }
    }

    private BreakerState enter(long now) throws Rejected {
        if (now - nextLook.get() >= 0) {
            look(now);
        }
        BreakerState before = state.get();
        while (!(before instanceof Closed)) {
            BreakerState after = controller.admit(before, counts.alive(), now);
            if (!controller.letsThrough(before, after)) {
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
     * Rejects what would be rejected if it were called now. What is not is no trial call yet, and may still be rejected.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    public void refuseIfOpen(long now) throws Rejected {
        if (now - nextLook.get() >= 0) {
            look(now);
        }
        BreakerState before = state.get();
        if (before instanceof Closed) {
            return;
        }
        BreakerState after = controller.admit(before, counts.alive(), now);
        if (!controller.letsThrough(before, after)) {
            throw rejection(after, now);
        }
    }

    /**
     * How many calls it would let through now: {@link Integer#MAX_VALUE} while closed, 0 while open, and in between as many
     * as there may be trial calls.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    public int headroom(long now) {
        BreakerState before = state.get();
        BreakerState after = controller.admit(before, counts.alive(), now);
        if (!controller.letsThrough(before, after)) {
            return 0;
        }
        // The one that was let through just now is among those out.
        return after instanceof HalfOpen half ? settings.trials() - half.trials() + 1 : Integer.MAX_VALUE;
    }

    /** Looks around, on one thread at a time. */
    private void look(long now) {
        long due = nextLook.get();
        BreakerState before = state.get();
        if (now - due < 0 || !nextLook.compareAndSet(due, now + LOOK_NANOS)) {
            return;
        }
        counts.look(now);
        long mean = counts.meanAnswerNanos(settings.fewestCalls(), now);
        if (mean > 0) {
            typicalNanos = mean;
        }
        long alive = counts.alive();
        long out = attempts.inFlight();
        NoAnswer heard = silence.look(alive, controller.areMany(out), now);
        silence = heard;
        change(before.spell(), now, closed -> controller.afterSilence(closed, heard, typicalNanos, out, now));
    }

    private void answered(BreakerState entered, CallContext callContext) {
        if (entered instanceof Closed && state.get() instanceof Closed) {
            return;
        }
        change(entered.spell(), callContext.now(), controller::afterAnswer);
    }

    private void ended(Unanswered ending, long spell, long now) {
        switch (ending) {
            case Rejected rejected -> change(spell, now, controller::afterNothing);
            case Failed failed when failed.why() == Failed.Cause.CONNECT -> failed(spell, now, true);
            case Failed refused -> refused(spell, now);
            case Unknown unknown
            when unknown.why() == Unknown.Cause.INTERRUPTED -> change(spell, now, controller::afterNothing);
            case Unknown unknown -> failed(spell, now, false);
        }
    }

    private void refused(long spell, long now) {
        counts.refused(now);
        change(spell, now, controller::afterAnswer);
    }

    private void failed(long spell, long now, boolean unconnected) {
        if (state.get().spell() == spell) {
            counts.failed(now);
            Tally tally = counts.tally(now);
            change(spell, now, before -> controller.afterFailure(before, unconnected, tally, now));
        }
    }

    /** Takes a step out of a spell, unless the spell is over. */
    private void change(long spell, long now, Step step) {
        BreakerState before = state.get();
        while (before.spell() == spell) {
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
                // A new spell starts with nothing held against it.
                counts.forget(now);
                silence = NoAnswer.NONE;
                listener.resumed(now);
            }
            return true;
        }
    }

    private static Rejected rejection(BreakerState state, long now) {
        long left = state instanceof Open open ? Math.max(0, open.until() - now) : 0;
        String why = state instanceof Open open
                ? "the breaker is open: " + open.reason() + "; trial calls begin in " + Durations.words(left)
                : "the breaker is half open and its trial calls are under way";
        return new Rejected(Rejected.Cause.BREAKER, why, Duration.ofNanos(Math.max(left, 1_000_000_000L)), null);
    }

    /** Its state as one word: {@code closed}, {@code open} or {@code half-open}. */
    public String state() {
        return state.get().word();
    }

    /** Why it is in that state: one sentence, with its numbers. */
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

    /** How often it has opened, after failed trials too. */
    public long opened() {
        return opened.sum();
    }

    /** When it opens and closes. */
    public BreakerSettings settings() {
        return settings;
    }

    @FunctionalInterface
    private interface Step {
        BreakerState from(BreakerState before);
    }
}
