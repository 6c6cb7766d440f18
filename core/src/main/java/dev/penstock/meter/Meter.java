package dev.penstock.meter;

import dev.penstock.Accounting;
import dev.penstock.CallContext;
import dev.penstock.Observation;
import dev.penstock.Observation.Observer;
import dev.penstock.Reason;
import dev.penstock.Rejected;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts each transaction of a flow exactly once when it is offered and once when it ends, and measures its time.
 *
 * <p>Thread-safe.
 */
public final class Meter {
    /** A logger of its own, so that the logging of endings can be configured. */
    private static final Logger LOG = LoggerFactory.getLogger("penstock.endings");

    private final Ticker ticker;
    private final OutcomeCounters counters;
    private final LastReasons reasons;
    private final String flow;
    private final @Nullable Observer observer;

    /**
     * A meter without counts, for a flow without a name.
     *
     * @param ticker the clock
     */
    public Meter(Ticker ticker) {
        this(ticker, new LastReasons("flow", InstantSource.system()), "flow", null);
    }

    /**
     * A meter without counts.
     *
     * @param ticker the clock
     * @param reasons keeps the reasons of endings without an answer, and decides what is logged
     * @param flow the name of the flow
     * @param observer follows the transactions, without throwing anything; null for none
     */
    public Meter(Ticker ticker, LastReasons reasons, String flow, @Nullable Observer observer) {
        this.ticker = ticker;
        this.counters = new OutcomeCounters(ticker.nanos());
        this.reasons = reasons;
        this.flow = flow;
        this.observer = observer;
    }

    CallContext begin(@Nullable Object request) {
        CallContext callContext = observer == null ? CallContext.begin(ticker) : CallContext.beginObserved(ticker);
        counters.offered(callContext.now());
        if (observer != null) {
            callContext.observe(observer.begin(flow, request, callContext.now()));
        }
        return callContext;
    }

    void answered(@Nullable Object answer, CallContext callContext) {
        counters.answered(callContext.elapsed());
        end(callContext.observation(), answer, null, callContext.now());
    }

    void ended(Unanswered ending, CallContext callContext) {
        counters.ended(ending, callContext.elapsed());
        log(ending, callContext.now());
        end(callContext.observation(), null, ending, callContext.now());
    }

    /**
     * Counts a transaction that was rejected before it began: as offered and as ended.
     *
     * @param request the request; null when it is not known
     * @param now a reading of the ticker of this meter
     */
    public void rejected(@Nullable Object request, Rejected rejection, long now) {
        counters.offered(now);
        counters.ended(rejection, 0);
        log(rejection, now);
        end(observer == null ? null : observer.begin(flow, request, now), null, rejection, now);
    }

    private static void end(
            @Nullable Observation observation, @Nullable Object answer, @Nullable Unanswered ending, long now) {
        if (observation != null) {
            observation.ended(answer, ending, now);
        }
    }

    private void log(Unanswered ending, long now) {
        String line = reasons.ended(ending, now);
        if (line != null) {
            warn(LOG, line);
        }
    }

    /**
     * Logs a line about an ending that was counted. Whatever the log throws is dropped, since it must not replace the ending: a
     * virtual thread cannot write to standard error while no thread can be started.
     */
    public static void warn(Logger log, String line) {
        try {
            log.warn(line);
        } catch (Exception | Error unlogged) {
            // The reason stays in the report of the flow.
        }
    }

    /** Logs the endings that were not logged yet, for the end of a flow. */
    public void logRemaining() {
        reasons.unlogged(ticker.nanos()).forEach(LOG::warn);
    }

    /** The last reason for each cause by which transactions ended without an answer. */
    public List<Reason.Last> reasons() {
        return reasons.last();
    }

    /** The transactions by ending, as of one instant. */
    public Accounting accounting() {
        return counters.snapshot();
    }

    /**
     * The number of transactions offered in the 10 s before the given time.
     *
     * @param now a reading of the ticker of this meter
     */
    public long offeredRecently(long now) {
        return counters.offeredRecently(now);
    }

    /** The whole flow: transactions, and their times from offer to ending. */
    public StageReport report() {
        Accounting account = accounting();
        return new StageReport(
                "flow",
                account.offered(),
                counters.offeredPerSecond(ticker.nanos()),
                account.inFlight(),
                0,
                account.sentence(),
                counters.times());
    }
}
