package dev.penstock.breaker;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.breaker.BreakerController.Tally;
import dev.penstock.breaker.BreakerState.Closed;
import dev.penstock.breaker.BreakerState.HalfOpen;
import dev.penstock.breaker.BreakerState.Open;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.RecentWindow;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A circuit breaker: rejects at once while the target only fails.
 *
 * <p>A call fails when it cannot connect or ends as {@link Unknown} for another cause than an interrupt. Answers of every
 * kind, and refusals for good, show that the target is alive. While closed, a call costs one volatile read and one
 * uncontended count. Safe for many threads.
 */
public final class Breaker {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    private final BreakerSettings settings;
    private final BreakerController controller;
    private final AtomicReference<BreakerState> state = new AtomicReference<>(new Closed(0));
    private final AtomicInteger connectFailuresInRow = new AtomicInteger();
    private final RecentWindow answers;
    private final RecentCount refusals;
    private final RecentCount failures;
    private final LongAdder opened = new LongAdder();
    private final Ticker ticker;

    /**
     * A closed breaker.
     *
     * @param settings when it opens and closes
     * @param attempts the attempt meter of the flow that it stands in, which counts what the target answers
     * @param ticker the clock of the flow that it stands in
     */
    public Breaker(BreakerSettings settings, AttemptMeter attempts, Ticker ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.controller = settings.controller();
        this.answers = new RecentWindow(WINDOW, ticker.nanos(), attempts::answered);
        this.refusals = new RecentCount(WINDOW, ticker.nanos());
        this.failures = new RecentCount(WINDOW, ticker.nanos());
    }

    /** Puts this breaker around a service. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return request -> {
            Transit transit = Transit.required();
            BreakerState entered = enter(transit);
            try {
                R answer = next.call(request);
                answered(entered);
                return answer;
            } catch (Unanswered ending) {
                ended(ending, entered.spell(), transit.now());
                throw ending;
            } catch (Throwable unexpected) {
                change(entered.spell(), controller::afterNothing);
                throw unexpected;
            }
        };
    }

    private BreakerState enter(Transit transit) throws Rejected {
        answers.look(transit.now());
        BreakerState before = state.get();
        while (!(before instanceof Closed)) {
            BreakerState after = controller.admit(before, transit.now());
            if (!controller.letsThrough(before, after)) {
                throw rejection(after, transit.now());
            }
            if (state.compareAndSet(before, after)) {
                return after;
            }
            before = state.get();
        }
        return before;
    }

    private void answered(BreakerState entered) {
        if (connectFailuresInRow.get() != 0 && state.get().spell() == entered.spell()) {
            connectFailuresInRow.set(0);
        }
        if (!(entered instanceof Closed)) {
            change(entered.spell(), controller::afterAnswer);
        }
    }

    private void ended(Unanswered ending, long spell, long now) {
        switch (ending) {
            case Rejected rejected -> change(spell, controller::afterNothing);
            case Failed failed when failed.why() == Failed.Cause.CONNECT -> failed(spell, now, true);
            case Failed refused -> refused(spell, now);
            case Unknown unknown
            when unknown.why() == Unknown.Cause.INTERRUPTED -> change(spell, controller::afterNothing);
            case Unknown unknown -> failed(spell, now, false);
        }
    }

    /** A refusal for good is an answer for what matters here, but no attempt that was answered. */
    private void refused(long spell, long now) {
        if (state.get().spell() == spell) {
            refusals.add(now);
            connectFailuresInRow.set(0);
            change(spell, controller::afterAnswer);
        }
    }

    private void failed(long spell, long now, boolean unconnected) {
        if (state.get().spell() != spell) {
            return;
        }
        failures.add(now);
        int inRow = connectFailuresInRow.updateAndGet(before -> unconnected ? before + 1 : 0);
        Tally tally = new Tally(inRow, failures.recent(now), calls(now));
        if (change(spell, before -> controller.afterFailure(before, tally, now)) instanceof Open) {
            forget(now);
        }
    }

    /** A new spell starts with nothing held against it. */
    private void forget(long now) {
        opened.increment();
        connectFailuresInRow.set(0);
        answers.forget(now);
        refusals.forget(now);
        failures.forget(now);
    }

    /** Takes a step out of a spell; null when the spell was over before. */
    private @Nullable BreakerState change(long spell, Step step) {
        BreakerState before = state.get();
        while (before.spell() == spell) {
            BreakerState after = step.from(before);
            if (state.compareAndSet(before, after)) {
                return after;
            }
            before = state.get();
        }
        return null;
    }

    private static Rejected rejection(BreakerState state, long now) {
        long left = state instanceof Open open ? Math.max(0, open.until() - now) : 0;
        String why = state instanceof Open open
                ? "the breaker is open: " + open.reason() + "; trial calls begin in " + Durations.words(left)
                : "the breaker is half open and its trial calls are under way";
        return new Rejected(Rejected.Cause.BREAKER, why, Duration.ofNanos(Math.max(left, 1_000_000_000L)), null);
    }

    private long calls(long now) {
        return answers.recent(now) + refusals.recent(now) + failures.recent(now);
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
        long now = ticker.nanos();
        return "%d of %d calls failed in the last 10 s".formatted(failures.recent(now), calls(now));
    }

    /** How often it has opened. */
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
