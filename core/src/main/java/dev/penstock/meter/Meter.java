package dev.penstock.meter;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.InstantSource;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outermost stage: counts every transaction in and out, exactly once, and times the whole way.
 *
 * <p>Safe for many threads.
 */
public final class Meter {
    /** For whoever wants to see endings, or not to. */
    private static final Logger LOG = LoggerFactory.getLogger("penstock.endings");

    private final Ticker ticker;
    private final OutcomeCounters ledger;
    private final LastReasons reasons;

    /**
     * A meter that has seen nothing, of a flow without a name.
     *
     * @param ticker the clock that times go by
     */
    public Meter(Ticker ticker) {
        this(ticker, new LastReasons("flow", InstantSource.system()));
    }

    /**
     * A meter that has seen nothing.
     *
     * @param ticker the clock that times go by
     * @param reasons keeps why transactions end without an answer, and decides what of it is logged
     */
    public Meter(Ticker ticker, LastReasons reasons) {
        this.ticker = ticker;
        this.ledger = new OutcomeCounters(ticker.nanos());
        this.reasons = reasons;
    }

    /** Puts this meter around a service. What the service throws beside the endings ends as {@link Unknown}. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return new Metered<>(this, next);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Metered<Q, R>(Meter meter, Service<Q, R> next) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.begin(meter.ticker);
            meter.ledger.offered(callContext.now());
            try {
                R answer = next.call(request);
                meter.answered(callContext);
                return answer;
            } catch (Unanswered ending) {
                meter.ended(ending, callContext);
                throw ending;
            } catch (Throwable unexpected) {
                Unknown ending = AttemptMeter.unknown(unexpected);
                meter.ended(ending, callContext);
                if (unexpected instanceof Error error) {
                    throw error;
                }
                throw ending;
            } finally {
                callContext.end();
            }
        }
    }

    /**
     * Counts a transaction that was rejected before it began: offered, and ended.
     *
     * @param now a reading of the ticker of this meter
     */
    public void rejected(Rejected rejection, long now) {
        ledger.offered(now);
        ledger.ended(rejection, 0);
        log(rejection, now);
    }

    private void answered(CallContext callContext) {
        if (callContext.isAnsweredAtOnce()) {
            ledger.answeredAtOnce(callContext.elapsed());
        } else {
            ledger.answered(callContext.elapsed());
        }
    }

    private void ended(Unanswered ending, CallContext callContext) {
        if (callContext.isAnsweredAtOnce()) {
            // The attempt was answered, and yet no answer came out: it is still one attempt.
            ledger.attemptAnswered(callContext.elapsed());
        }
        ledger.ended(ending, callContext.elapsed());
        log(ending, callContext.now());
    }

    private void log(Unanswered ending, long now) {
        String line = reasons.ended(ending, now);
        if (line != null) {
            LOG.warn(line);
        }
    }

    /** Logs how often each reason came since it was logged last: for the end of a flow. */
    public void logRest() {
        reasons.rest(ticker.nanos()).forEach(LOG::warn);
    }

    /** The last reason of each cause by which transactions ended without an answer. */
    public List<LastReasons.Last> reasons() {
        return reasons.last();
    }

    /** The accounting of this instant. */
    public Accounting accounting() {
        return ledger.snapshot();
    }

    /**
     * How many transactions were offered in the 10 s before the given time.
     *
     * @param now a reading of the ticker of this meter
     */
    public long offeredRecently(long now) {
        return ledger.offeredRecently(now);
    }

    /** How many attempts the target has answered. */
    public long attemptsAnswered() {
        return ledger.attemptsAnswered();
    }

    /** The sum of the times that its answers took, in nanoseconds. It may overflow: only differences mean something. */
    public long answeredNanos() {
        return ledger.answeredNanos();
    }

    /** How many transactions were offered each second, over the last 10 s. */
    public double offeredPerSecond() {
        return ledger.offeredPerSecond(ticker.nanos());
    }

    /** How long transactions took from their offer to their ending, in nanoseconds. */
    public Histogram times() {
        return ledger.times();
    }

    Ticker ticker() {
        return ticker;
    }

    OutcomeCounters ledger() {
        return ledger;
    }
}
