package dev.penstock.retry;

import dev.penstock.Busy;
import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Filter;
import dev.penstock.Observation.Wait;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.Timings;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongUnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Makes further attempts, as configured by a {@link Retry}.
 *
 * <h2>Design note</h2>
 *
 * <p>Once an attempt has ended as {@link Unknown}, a later rejection or failure leaves the transaction unknown, because
 * the first attempt may have taken effect. Only an answer resolves it, or a status probe that reports "not there", which
 * covers all attempts so far, since they have the same reference. Until then, the first unknown ending is thrown in place
 * of later endings.
 *
 * <p>The probe is called last: when no retry is allowed, for lack of a key, attempts, time or budget. A transaction that is
 * not there may be retried like one that was not sent, with the remaining attempts and budget. It was sent, however, so a
 * later rejection does not make it a transaction that was never sent.
 *
 * <p>An answer with a status to repeat is kept while further attempts are made, and returned when none of them can have
 * taken effect.
 *
 * <p>The budget protects the target, so it counts what the target receives more than once. A repeat needs budget only when
 * an earlier attempt of its transaction was sent, and is charged only when it is sent too: one that ends as {@link Rejected}
 * is not. Until something was sent, attempts, backoff and deadline suffice. The same holds for gRPC's throttle, which does not
 * count retries of calls that never left the client (gRFC A6).
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class RetryFilter<Q, R> implements Filter<Q, R> {
    private static final Duration RATE_WINDOW = Duration.ofSeconds(10);
    private static final double SHARE = 0.2;
    private static final double RESERVE_PER_SECOND = 2;

    private final Retry<? super Q> retry;
    private final @Nullable SettleFilter<Q, R> settle;
    private final Backoff backoff;
    private final RetryBudget budget;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final RecentCount repeats;
    private final LongAdder outOfBudget = new LongAdder();

    /**
     * Creates a filter.
     *
     * @param retry its configuration
     * @param settle resolves unknown endings that may not be retried; null for none
     * @param requests returns the number of requests in the 10 s before a time; retries are limited to a share of them
     * @param ticker the clock for all waits
     * @param random the source of the jitter; safe for many threads
     */
    public RetryFilter(
            Retry<? super Q> retry,
            @Nullable SettleFilter<Q, R> settle,
            LongUnaryOperator requests,
            Ticker ticker,
            RandomGenerator random) {
        this.retry = retry;
        this.settle = settle;
        this.backoff = new Backoff(Durations.nanos(retry.firstBackoff()), Durations.nanos(retry.mostBackoff()));
        this.budget = new RetryBudget(SHARE, RESERVE_PER_SECOND, requests, ticker.nanos());
        this.repeats = new RecentCount(RATE_WINDOW, ticker.nanos());
        this.ticker = ticker;
        this.random = random;
    }

    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        return new RetryService<>(this, next);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record RetryService<Q, R>(RetryFilter<Q, R> filter, Service<Q, R> next) implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            try {
                R answer = next.call(request);
                return filter.isRepeatable(answer, request)
                        ? filter.retry(request, next, CallContext.required(), answer, null)
                        : answer;
            } catch (Unanswered ending) {
                return filter.retry(request, next, CallContext.required(), null, ending);
            }
        }
    }

    private boolean isRepeatable(@Nullable R answer, Q request) {
        return !retry.answers().isEmpty()
                && retry.answers().contains(Busy.statusOf(answer))
                && retry.isIdempotent(request);
    }

    /**
     * Makes further attempts after one that ended as {@code first}, or with an answer to repeat. Such an answer stands when no
     * later attempt can have taken effect.
     */
    private R retry(
            Q request, Service<Q, R> next, CallContext callContext, @Nullable R firstAnswer, @Nullable Unanswered first)
            throws Exception {
        @Nullable R answer = firstAnswer;
        @Nullable Unanswered last = first;
        // An ending that later ones do not replace: the first unknown one, or "not there".
        @Nullable Unanswered sent = null;
        boolean budgeted = false;
        for (int retries = 1; ; retries++) {
            sent = !(sent instanceof Unknown) && last instanceof Unknown ? last : sent;
            budgeted |= !(last instanceof Rejected);
            if (!mayTryAgain(retries, request, last, answer, budgeted, callContext)) {
                if (answer != null && (last == null || (sent == null && mayBeDropped(last)))) {
                    return answer;
                }
                Unanswered unanswered = Objects.requireNonNull(last);
                if (!(sent instanceof Unknown unknown) || settle == null) {
                    throw ending(sent, unanswered);
                }
                try {
                    return settle.settle(request, unknown, callContext);
                } catch (Failed notThere) {
                    last = notThere;
                    sent = notThere;
                }
                if (!mayTryAgain(retries, request, last, null, budgeted, callContext)) {
                    throw last;
                }
            }
            try {
                R repeated = repeat(request, next, budgeted, callContext);
                if (!isRepeatable(repeated, request)) {
                    return repeated;
                }
                answer = repeated;
                last = null;
            } catch (Unanswered ending) {
                last = ending;
            }
        }
    }

    private R repeat(Q request, Service<Q, R> next, boolean budgeted, CallContext callContext) throws Exception {
        repeats.add(callContext.now());
        boolean wasSent = true;
        try {
            return next.call(request);
        } catch (Rejected rejected) {
            wasSent = false;
            throw rejected;
        } finally {
            if (budgeted) {
                budget.end(wasSent, callContext.now());
            }
        }
    }

    /** Whether an earlier answer says more than this ending, which shows that nothing happened. */
    private static boolean mayBeDropped(Unanswered last) {
        return last instanceof Rejected || last.isRetryable();
    }

    private static Unanswered ending(@Nullable Unanswered sent, Unanswered last) {
        return sent instanceof Unknown || (sent != null && last instanceof Rejected) ? sent : last;
    }

    /** @param budgeted whether the attempt needs budget, which is reserved if this returns true */
    private boolean mayTryAgain(
            int retries,
            Q request,
            @Nullable Unanswered last,
            @Nullable R answer,
            boolean budgeted,
            CallContext callContext) {
        if (retries >= retry.attempts() || (last != null && !isRetryable(request, last))) {
            return false;
        }
        long wait = (last == null ? asked(answer) : 0) + backoff.wait(retries, random);
        if (wait >= callContext.timeLeft() || Thread.currentThread().isInterrupted()) {
            return false;
        }
        if (budgeted && !budget.tryReserve(callContext.now())) {
            outOfBudget.increment();
            return false;
        }
        boolean mayGoOn = sleep(wait, callContext);
        if (budgeted && !mayGoOn) {
            budget.end(false, callContext.now());
        }
        return mayGoOn;
    }

    /** The wait that an answer asks for, in nanoseconds. */
    private static long asked(@Nullable Object answer) {
        Duration wait = answer instanceof Busy busy ? busy.retryAfter() : null;
        return wait == null ? 0 : Math.max(0, Durations.nanos(wait));
    }

    private boolean isRetryable(Q request, Unanswered last) {
        return switch (last) {
            // An open breaker stays open longer than the backoff.
            case Rejected rejected -> rejected.isRetryable() && rejected.why() != Rejected.Cause.BREAKER;
            case Failed failed -> failed.isRetryable();
            case Unknown unknown -> unknown.why() != Unknown.Cause.INTERRUPTED && retry.isIdempotent(request);
        };
    }

    /** Returns false when the deadline has passed, or the caller is interrupted. */
    private boolean sleep(long wait, CallContext callContext) {
        long start = callContext.now();
        long until = callContext.now() + wait;
        while (callContext.now() - until < 0) {
            if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            ticker.parkUntil(until);
            callContext.tick();
        }
        callContext.waited(Wait.RETRY, callContext.now() - start);
        // The thread may have been woken too late.
        return callContext.timeLeft() > 0;
    }

    /** The number of retries. */
    public StageReport report() {
        String note = "%d retries, %d of them sent again, %d more suppressed by the retry budget"
                .formatted(repeats.total(), budget.charged(), outOfBudget.sum());
        return new StageReport("retry", repeats.total(), repeats.perSecond(ticker.nanos()), 0, 0, note, Timings.none());
    }
}
