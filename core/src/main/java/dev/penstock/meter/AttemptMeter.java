package dev.penstock.meter;

import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The innermost stage, directly around the target: measures each attempt without the time spent waiting in the flow, and
 * turns other exceptions of the target into an ending.
 *
 * <h2>Design note</h2>
 *
 * <p>An attempt that is answered at once is not counted here but by the {@link Meter}, together with its transaction, some
 * nanoseconds later (see {@link OutcomeCounters}). Attempts in flight are not counted here if a limit already counts them. The
 * number of attempts is then the sum of the ended ones and those in flight. They are read in this order, so an attempt that
 * ends in between is missing for a moment, but is never counted twice; the highest value seen so far is reported.
 *
 * <p>Thread-safe. Only works inside its {@link Meter}, with which it shares the clock reading and the counters.
 */
public final class AttemptMeter {
    private final Ticker ticker;
    private final OutcomeCounters counters;
    private final @Nullable LongAdder ownStarted;
    private final LongSupplier inFlight;
    private final AtomicLong mostStarted = new AtomicLong();
    private final RecentWindow started;
    private final boolean separate;
    private final LongAdder connectFailures = new LongAdder();
    private volatile @Nullable ConnectFailure lastConnectFailure;

    /**
     * The last attempt that could not connect.
     *
     * @param ending its ending, with the reason
     * @param at its time, as a reading of the ticker
     */
    public record ConnectFailure(Failed ending, long at) {}

    /**
     * An attempt meter without counts.
     *
     * @param meter the meter of the flow, which has at most one attempt meter
     * @param inFlight supplies the number of attempts in flight if it is counted elsewhere; null to count it here
     */
    public AttemptMeter(Meter meter, @Nullable LongSupplier inFlight) {
        this(meter, inFlight, false);
    }

    /**
     * An attempt meter without counts.
     *
     * @param meter as above
     * @param inFlight as above
     * @param separate whether attempts are always counted separately from transactions, because an attempt may be for many of them
     */
    public AttemptMeter(Meter meter, @Nullable LongSupplier inFlight, boolean separate) {
        this.separate = separate;
        this.ticker = meter.ticker();
        this.counters = meter.counters();
        LongAdder own = new LongAdder();
        this.ownStarted = inFlight == null ? own : null;
        this.inFlight = inFlight == null ? () -> own.sum() - counters.attemptsEnded() : inFlight;
        this.started = new RecentWindow(OutcomeCounters.RECENTLY, ticker.nanos(), this::started);
    }

    /** Wraps a target with this meter. */
    public <Q, R> Service<Q, R> around(Service<Q, R> target) {
        return new Metered<>(this, target);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Metered<Q, R>(AttemptMeter meter, Service<Q, R> target) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            long start = callContext.now();
            meter.onStart(start);
            try {
                R answer = target.call(request);
                meter.answered(callContext, start);
                return answer;
            } catch (Unanswered ending) {
                meter.unanswered(callContext, start);
                meter.noteConnectFailure(ending, callContext);
                throw ending;
            } catch (Exception unexpected) {
                meter.unanswered(callContext, start);
                throw unknown(unexpected);
            } catch (Error unexpected) {
                meter.unanswered(callContext, start);
                throw unexpected;
            }
        }
    }

    private void onStart(long now) {
        started.advance(now);
        if (ownStarted != null) {
            ownStarted.increment();
        }
    }

    private void answered(CallContext callContext, long start) {
        long now = callContext.tick();
        if (!separate && now - start == callContext.elapsed()) {
            callContext.answeredAtOnce();
        } else {
            counters.attemptAnswered(now - start);
        }
    }

    private void unanswered(CallContext callContext, long start) {
        counters.attemptUnanswered(callContext.tick() - start);
    }

    private void noteConnectFailure(Unanswered ending, CallContext callContext) {
        if (ending instanceof Failed failed && failed.why() == Failed.Cause.CONNECT) {
            connectFailures.increment();
            lastConnectFailure = new ConnectFailure(failed, callContext.now());
        }
    }

    /** The ending of a transaction whose target threw an exception that is not an ending. */
    static Unknown unknown(Throwable unexpected) {
        if (unexpected instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new Unknown(
                    Unknown.Cause.INTERRUPTED, "the caller was interrupted before the target answered", unexpected);
        }
        return new Unknown(
                Unknown.Cause.ERROR,
                "the target threw " + unexpected + ", which does not show whether the request took effect",
                unexpected);
    }

    /** The number of attempts sent to the target. */
    public long started() {
        long ended = counters.attemptsEnded();
        return mostStarted.accumulateAndGet(ended + inFlight.getAsLong(), Math::max);
    }

    /** The number of attempts that could not connect to the target. */
    public long connectFailures() {
        return connectFailures.sum();
    }

    /** The last connect failure; null when there was none. */
    public @Nullable ConnectFailure lastConnectFailure() {
        return lastConnectFailure;
    }

    /** The number of attempts answered by the target. */
    public long answered() {
        return counters.attemptsAnswered();
    }

    /** The total time of answered attempts, in nanoseconds. It may overflow: use differences only. */
    public long answeredNanos() {
        return counters.answeredNanos();
    }

    /** The number of attempts in flight. */
    public long inFlight() {
        return Math.max(0, inFlight.getAsLong());
    }

    /**
     * The attempts.
     *
     * @param capacity the maximum number in flight; 0 when unlimited
     * @param late what became of attempts that exceeded their deadline; empty when there were none
     */
    public StageReport report(long capacity, String late) {
        long attempts = started();
        long now = inFlight();
        String note = "%d attempts, %d in flight%s".formatted(attempts, now, late);
        return new StageReport(
                "target", attempts, started.perSecond(ticker.nanos()), now, capacity, note, counters.attemptTimes());
    }
}
