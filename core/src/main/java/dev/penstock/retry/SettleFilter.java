package dev.penstock.retry;

import dev.penstock.Answered;
import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Filter;
import dev.penstock.Observation.Wait;
import dev.penstock.ReadOnly;
import dev.penstock.Service;
import dev.penstock.Settle;
import dev.penstock.StageReport;
import dev.penstock.StatusProbe;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.Timings;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * Resolves unknown endings by asking a status probe, as configured by a {@link Settle}.
 *
 * <h2>Design note</h2>
 *
 * <p>A query is not an attempt. It does not pass breaker and limit, and is not counted as an attempt: an open breaker would
 * leave endings unknown just when there are most of them, and the times of queries would distort the limit. It is not a
 * transaction either: the unknown transaction stays in flight during the query, and ends once, with its result. So a
 * probe must limit its own queries.
 *
 * <p>The answer "not there" counts only for a query asked at least {@link Settle#after} the attempt ended; earlier, a
 * request still in transit would be sent twice. When the time left is shorter than that wait, the probe is not asked.
 *
 * <p>An exception of the probe leaves the ending unknown. No query can make a transaction worse than unknown.
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class SettleFilter<Q, R> implements Filter<Q, R> {
    private static final Duration RATE_WINDOW = Duration.ofSeconds(10);
    private static final String NOT_ASKED = "its status was not asked: ";

    private final Settle<Q, R> settle;
    private final Service<Q, Settled<R>> probe;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final RecentCount unknowns;
    private final LongAdder ended = new LongAdder();
    private final LongAdder queries = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder notThere = new LongAdder();
    private final Timings timings = new Timings();
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /**
     * Creates a filter.
     *
     * @param settle its configuration
     * @param queries limits each query by its deadline
     * @param ticker the clock for all waits
     * @param random the source of the random part of waits; safe for many threads
     */
    public SettleFilter(Settle<Q, R> settle, Filter<Q, Settled<R>> queries, Ticker ticker, RandomGenerator random) {
        this.settle = settle;
        this.probe = queries.around(new ProbeService<>(settle.probe()));
        this.ticker = ticker;
        this.random = random;
        this.unknowns = new RecentCount(RATE_WINDOW, ticker.nanos());
    }

    private record ProbeService<Q, R>(StatusProbe<Q, R> probe) implements Service<Q, Settled<R>> {
        @Override
        public Settled<R> call(Q request) throws Exception {
            return probe.ask(request);
        }

        @Override
        public boolean honorsDeadline() {
            return probe.honorsDeadline();
        }
    }

    /** Wraps a service, for a flow without retries; with retries, the {@link RetryFilter} calls {@link #settle}. */
    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        return request -> {
            try {
                return next.call(request);
            } catch (Unknown unknown) {
                return settle(request, unknown, CallContext.required());
            }
        };
    }

    /**
     * Asks for the status until it is known, within the time left.
     *
     * @param unknown the unknown ending of the attempt
     * @param callContext the context of the calling thread
     * @return the transaction's own answer
     * @throws Failed the target does not have the transaction
     * @throws Unknown the ending is still unknown
     */
    public R settle(Q request, Unknown unknown, CallContext callContext) throws Failed, Unknown {
        if (unknown.why() == Unknown.Cause.INTERRUPTED || ReadOnly.is(request)) {
            throw unknown;
        }
        if (!settle.probe().canAskOf(request)) {
            throw stillUnknown(unknown, NOT_ASKED + "the request has no reference to ask by");
        }
        long start = callContext.now();
        unknowns.add(start);
        try {
            return askRepeatedly(request, unknown, callContext);
        } finally {
            long waited = callContext.tick() - start;
            timings.record(waited);
            callContext.waited(Wait.STATUS, waited);
            ended.increment();
        }
    }

    /** Whether the probe can be asked for the status of this request. */
    public boolean canAskOf(Q request) {
        return settle.probe().canAskOf(request);
    }

    private R askRepeatedly(Q request, Unknown unknown, CallContext callContext) throws Failed, Unknown {
        String why = "";
        for (int query = 1; query <= settle.queries(); query++) {
            String reasonNotToAsk = waitToAsk(callContext);
            if (!reasonNotToAsk.isEmpty()) {
                throw stillUnknown(unknown, query == 1 ? NOT_ASKED + reasonNotToAsk : why);
            }
            switch (ask(request)) {
                case Answered<R>(R answer) -> {
                    answered.increment();
                    return answer;
                }
                case Settled.NotThere<R>() -> {
                    notThere.increment();
                    throw notThere(unknown);
                }
                case Settled.StillUnknown<R>(String word) ->
                    why = "asked for its status (%d of %d), still unknown: %s".formatted(query, settle.queries(), word);
            }
            callContext.tick();
        }
        throw stillUnknown(unknown, why);
    }

    private Settled<R> ask(Q request) {
        queries.increment();
        try {
            return Objects.requireNonNull(probe.call(request), "the status probe returned null");
        } catch (Unanswered ending) {
            return new Settled.StillUnknown<>(
                    "the status probe ended as " + ending.ending() + " (" + ending.getMessage() + ")");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Settled.StillUnknown<>("the caller was interrupted");
        } catch (Exception e) {
            return new Settled.StillUnknown<>("the status probe failed (" + e + ")");
        }
    }

    /** Waits for the next query; returns the reason why it cannot be asked, or an empty string. */
    private String waitToAsk(CallContext callContext) {
        long least = Durations.nanos(settle.after());
        long wait = least + random.nextLong(least / 2 + 1);
        if (wait >= callContext.timeLeft()) {
            return "the time left is not longer than the wait of " + Durations.format(wait);
        }
        Thread caller = Thread.currentThread();
        waiting.add(caller);
        try {
            for (long until = callContext.now() + wait; callContext.now() - until < 0; callContext.tick()) {
                if (stopped || caller.isInterrupted()) {
                    break;
                }
                ticker.parkUntil(until);
            }
        } finally {
            waiting.remove(caller);
        }
        if (stopped) {
            return "the flow is closing";
        }
        if (caller.isInterrupted()) {
            return "the caller was interrupted";
        }
        // The thread may have been woken too late.
        return callContext.timeLeft() > 0 ? "" : "the deadline has passed";
    }

    private static Unknown stillUnknown(Unknown unknown, String why) {
        return new Unknown(unknown.why(), unknown.getMessage() + "; " + why, unknown.getCause());
    }

    private static Failed notThere(Unknown unknown) {
        return new Failed(
                Failed.Cause.NOT_THERE,
                unknown.getMessage() + "; asked for its status, it is not there",
                unknown.getCause());
    }

    /** Stops asking: from now on, unknown endings stay unknown, without a wait. A query in progress is not aborted. */
    public void stop() {
        stopped = true;
        // A thread adds itself to the set before it reads the flag, so none is missed.
        waiting.forEach(LockSupport::unpark);
    }

    /** Unknown endings to resolve, and the times that this takes. */
    public StageReport report() {
        long done = ended.sum();
        long total = unknowns.total();
        long open = done - answered.sum() - notThere.sum();
        String note = "%d queries: %d answered, %d not there, %d still unknown"
                .formatted(queries.sum(), answered.sum(), notThere.sum(), open);
        return new StageReport(
                "settle", total, unknowns.perSecond(ticker.nanos()), total - done, 0, note, timings.snapshot());
    }
}
