package dev.penstock.meter;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The innermost stage, around the target itself: times each attempt on its own, without any wait of ours, and turns
 * whatever the target throws into an ending.
 *
 * <h2>Design note</h2>
 *
 * <p>An attempt that is answered at once is not counted here but by the {@link Meter}, together with its transaction, some
 * nanoseconds later (see {@link OutcomeCounters}). What is at the target is not counted either where a limit counts it already. How
 * many attempts there were is then those that have ended and those under way; both are read in this order, so that an
 * attempt that ends in between is missing for that moment, never there twice, and the most that was ever seen is told.
 *
 * <p>Safe for many threads. Works inside of its {@link Meter} only, whose clock reading and ledger it shares.
 */
public final class AttemptMeter {
    private final Ticker ticker;
    private final OutcomeCounters ledger;
    private final @Nullable LongAdder begun;
    private final LongSupplier underWay;
    private final AtomicLong mostStarted = new AtomicLong();
    private final RecentWindow started;
    private final boolean apart;
    private final LongAdder connectFailures = new LongAdder();
    private volatile @Nullable ConnectFailure lastConnectFailure;

    /**
     * The last attempt that got no connection.
     *
     * @param ending how it ended, with its reason
     * @param at when, as a reading of the ticker
     */
    public record ConnectFailure(Failed ending, long at) {}

    /**
     * An attempt meter that has seen nothing.
     *
     * @param meter the meter of the flow that it stands in; each has one attempt meter at the most
     * @param underWay tells how many attempts the target has now, when somebody counts them anyway; null makes this one count
     */
    public AttemptMeter(Meter meter, @Nullable LongSupplier underWay) {
        this(meter, underWay, false);
    }

    /**
     * An attempt meter that has seen nothing.
     *
     * @param meter as above
     * @param underWay as above
     * @param apart whether an attempt is on a way of its own, as it stands for many transactions: then it is never counted
     *     together with one
     */
    public AttemptMeter(Meter meter, @Nullable LongSupplier underWay, boolean apart) {
        this.apart = apart;
        this.ticker = meter.ticker();
        this.ledger = meter.ledger();
        LongAdder own = new LongAdder();
        this.begun = underWay == null ? own : null;
        this.underWay = underWay == null ? () -> own.sum() - ledger.attemptsEnded() : underWay;
        this.started = new RecentWindow(OutcomeCounters.RECENTLY, ticker.nanos(), this::started);
    }

    /** Puts this meter around a target. */
    public <Q, R> Service<Q, R> around(Service<Q, R> target) {
        return new Metered<>(this, target);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Metered<Q, R>(AttemptMeter meter, Service<Q, R> target) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            long start = callContext.now();
            meter.begins(start);
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

    private void begins(long now) {
        started.look(now);
        if (begun != null) {
            begun.increment();
        }
    }

    private void answered(CallContext callContext, long start) {
        long now = callContext.tick();
        if (!apart && now - start == callContext.elapsed()) {
            callContext.answeredAtOnce();
        } else {
            ledger.attemptAnswered(now - start);
        }
    }

    private void unanswered(CallContext callContext, long start) {
        ledger.attemptUnanswered(callContext.tick() - start);
    }

    private void noteConnectFailure(Unanswered ending, CallContext callContext) {
        if (ending instanceof Failed failed && failed.why() == Failed.Cause.CONNECT) {
            connectFailures.increment();
            lastConnectFailure = new ConnectFailure(failed, callContext.now());
        }
    }

    /** The ending of a transaction whose target threw something that is no ending. */
    static Unknown unknown(Throwable unexpected) {
        if (unexpected instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new Unknown(
                    Unknown.Cause.INTERRUPTED, "the caller was interrupted while the target worked", unexpected);
        }
        return new Unknown(
                Unknown.Cause.ERROR,
                "the target threw " + unexpected + ", which does not tell what became of it",
                unexpected);
    }

    /** How many attempts were sent to the target. */
    public long started() {
        long ended = ledger.attemptsEnded();
        return mostStarted.accumulateAndGet(ended + underWay.getAsLong(), Math::max);
    }

    /** How many attempts were sent each second, over the last 10 s. */
    public double startedPerSecond() {
        return started.perSecond(ticker.nanos());
    }

    /** How many attempts got no connection to the target. */
    public long connectFailures() {
        return connectFailures.sum();
    }

    /** The last of those; null when there was none. */
    public @Nullable ConnectFailure lastConnectFailure() {
        return lastConnectFailure;
    }

    /** How many attempts the target has answered. */
    public long answered() {
        return ledger.attemptsAnswered();
    }

    /** The sum of the times that its answers took, in nanoseconds. It may overflow: only differences mean something. */
    public long answeredNanos() {
        return ledger.answeredNanos();
    }

    /** How many attempts the target has now. */
    public long inFlight() {
        return Math.max(0, underWay.getAsLong());
    }

    /** How long attempts took, in nanoseconds. */
    public Histogram times() {
        return ledger.attemptTimes();
    }
}
