package dev.penstock.retry;

import dev.penstock.Answered;
import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Filter;
import dev.penstock.ReadOnly;
import dev.penstock.Service;
import dev.penstock.Settled;
import dev.penstock.StatusProbe;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.Timings;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;

/**
 * Asks what became of transactions in doubt, as a {@link Settle} says.
 *
 * <h2>Design note</h2>
 *
 * <p>A question is no attempt. It does not pass breaker and limit and is in no count of attempts: an open breaker would
 * leave every doubt as it is just when there are most of them, and the times of questions would mislead the limit. It is no
 * transaction either: the one in doubt stays in flight while it is asked for, and ends once, as what came of the question.
 * So a probe bounds its own questions.
 *
 * <p>"Not there" is believed only of a question that came {@link Settle#after} the attempt had ended, never sooner, since
 * what is still on its way would then be sent twice. When the time left is shorter than that wait, nothing is asked.
 *
 * <p>What the probe throws is one more way of not knowing. Nothing of a question can make a transaction worse than unknown.
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Settler<Q, R> {
    private static final Duration RECENTLY = Duration.ofSeconds(10);
    private static final String NOT_ASKED = "not asked what became of it: ";

    private final Settle<Q, R> settle;
    private final Service<Q, Settled<R>> probe;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final RecentCount doubts;
    private final LongAdder ended = new LongAdder();
    private final LongAdder questions = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder notThere = new LongAdder();
    private final Timings timings = new Timings();
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /**
     * A settler that has asked nothing.
     *
     * @param settle whom to ask, when, and how often
     * @param questions bounds each question by its deadline
     * @param ticker the clock that waits go by
     * @param random where the random part of waits comes from; safe for many threads
     */
    public Settler(Settle<Q, R> settle, Filter<Q, Settled<R>> questions, Ticker ticker, RandomGenerator random) {
        this.settle = settle;
        this.probe = questions.around(new Asking<>(settle.probe()));
        this.ticker = ticker;
        this.random = random;
        this.doubts = new RecentCount(RECENTLY, ticker.nanos());
    }

    private record Asking<Q, R>(StatusProbe<Q, R> probe) implements Service<Q, Settled<R>> {
        @Override
        public Settled<R> call(Q request) throws Exception {
            return probe.ask(request);
        }

        @Override
        public boolean honorsDeadline() {
            return probe.honorsDeadline();
        }
    }

    /** Puts this settler around a service, for a flow that repeats nothing. */
    public Service<Q, R> around(Service<Q, R> next) {
        return request -> {
            try {
                return next.call(request);
            } catch (Unknown doubt) {
                return settle(request, doubt, CallContext.required());
            }
        };
    }

    /**
     * Asks until there is a clear word, within the time left.
     *
     * @param doubt how its attempt ended
     * @param callContext that of the calling thread
     * @return the transaction's own answer
     * @throws Failed it is not there
     * @throws Unknown it is in doubt still
     */
    public R settle(Q request, Unknown doubt, CallContext callContext) throws Failed, Unknown {
        if (doubt.why() == Unknown.Cause.INTERRUPTED || ReadOnly.is(request)) {
            throw doubt;
        }
        if (!settle.probe().canAskOf(request)) {
            throw still(doubt, NOT_ASKED + "it bears no reference to ask by");
        }
        long start = callContext.now();
        doubts.add(start);
        try {
            return askOften(request, doubt, callContext);
        } finally {
            timings.record(callContext.tick() - start);
            ended.increment();
        }
    }

    /** Whether there is somebody to ask what became of a request, and something to ask by. */
    public boolean canAskOf(Q request) {
        return settle.probe().canAskOf(request);
    }

    private R askOften(Q request, Unknown doubt, CallContext callContext) throws Failed, Unknown {
        String why = "";
        for (int question = 1; question <= settle.questions(); question++) {
            String hindrance = waitToAsk(callContext);
            if (!hindrance.isEmpty()) {
                throw still(doubt, question == 1 ? NOT_ASKED + hindrance : why);
            }
            switch (ask(request)) {
                case Answered<R>(R answer) -> {
                    answered.increment();
                    return answer;
                }
                case Settled.NotThere<R>() -> {
                    notThere.increment();
                    throw gone(doubt);
                }
                case Settled.StillUnknown<R>(String word) ->
                    why = "asked what became of it (%d of %d), it is unknown still: %s"
                            .formatted(question, settle.questions(), word);
            }
            callContext.tick();
        }
        throw still(doubt, why);
    }

    private Settled<R> ask(Q request) {
        questions.increment();
        try {
            return Objects.requireNonNull(probe.call(request), "it said nothing");
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

    /** Waits for the next question; the words say why there can be none, and are empty when it may be asked. */
    private String waitToAsk(CallContext callContext) {
        long least = Durations.nanos(settle.after());
        long wait = least + random.nextLong(least / 2 + 1);
        if (wait >= callContext.timeLeft()) {
            return "the time left is no longer than the wait of " + Durations.words(wait);
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
            return "its flow is closing";
        }
        if (caller.isInterrupted()) {
            return "the caller was interrupted";
        }
        // It may have woken later than it meant to.
        return callContext.timeLeft() > 0 ? "" : "the time is up";
    }

    private static Unknown still(Unknown doubt, String why) {
        return new Unknown(doubt.why(), doubt.getMessage() + "; " + why, doubt.getCause());
    }

    private static Failed gone(Unknown doubt) {
        return new Failed(
                Failed.Cause.NOT_THERE,
                doubt.getMessage() + "; asked what became of it, it is not there",
                doubt.getCause());
    }

    /** Asks nothing more: what is in doubt, now or later, stays so, at once. A question under way is not broken off. */
    public void stop() {
        stopped = true;
        // Whoever waits is among them before it looks whether this has stopped.
        waiting.forEach(LockSupport::unpark);
    }

    /** How many attempts were in doubt and to be settled. */
    public long doubts() {
        return doubts.total();
    }

    /** How many came into doubt each second, over the last 10 s. */
    public double doubtsPerSecond() {
        return doubts.perSecond(ticker.nanos());
    }

    /** How many are in doubt now, and waiting or asking. */
    public long inDoubt() {
        long done = ended.sum();
        return doubts.total() - done;
    }

    /** How long they were in doubt, in nanoseconds. */
    public Histogram times() {
        return timings.snapshot();
    }

    /** What came of it so far, in one sentence. */
    public String note() {
        long done = ended.sum();
        return "%d questions: %d were answered, %d not there, %d unknown still"
                .formatted(questions.sum(), answered.sum(), notThere.sum(), done - answered.sum() - notThere.sum());
    }
}
