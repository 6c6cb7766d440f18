package dev.penstock.limit;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.LiveSetting;
import dev.penstock.Observation.Wait;
import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.limit.LimitController.Outcome;
import dev.penstock.limit.QueueEntry.State;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.Timings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Limits concurrent calls to the target. Further requests wait in a bounded queue for a bounded time. A request that cannot
 * be served in time is rejected immediately, on its own thread.
 *
 * <p>A {@link LimitFilter} acquires and releases the permits. Thread-safe.
 */
public final class Limit {
    /** A request that was sent although it looked too late, the time until the next one, and the estimate that it checks. */
    private record Trial(long at, long next, long answerNanos) {
        static final long LONGEST_NANOS = 60_000_000_000L;
    }

    final Ticker ticker;
    final WaitQueue queue;
    private final SharedLimit target;
    private final QueueSettings settings;
    private final LimitUpdater updater;
    private final Timings waits = new Timings();
    private final RecentCount waited;
    private final AtomicReference<Trial> lastTrial;

    /**
     * A limit with a wait queue.
     *
     * @param random spreads the retry-after times of rejections; must be thread-safe
     */
    public Limit(SharedLimit target, QueueSettings settings, Ticker ticker, RandomGenerator random) {
        this.target = target;
        this.settings = settings;
        this.ticker = ticker;
        this.queue = new WaitQueue(target.permits, QueuePolicy.of(settings), ticker, random);
        this.updater = new LimitUpdater(target, queue, ticker.nanos());
        this.waited = new RecentCount(Duration.ofSeconds(10), ticker.nanos());
        this.lastTrial = new AtomicReference<>(new Trial(ticker.nanos(), 0, Long.MAX_VALUE));
        target.addFlow(ticker.nanos());
    }

    /**
     * Admits or rejects a request without blocking: takes a permit or a position in the queue. The transaction may then {@linkplain
     * CallContext#begin(Ticker, Reservation) begin} on any thread. Its first attempt uses the reservation; retries acquire a permit
     * of their own.
     *
     * @param request only its urgency is used; null when it is not known
     * @param left the time left for the transaction, in nanoseconds; {@code Long.MAX_VALUE} for no deadline
     * @return the reservation; close it in any case, after the transaction or instead of it
     * @throws Rejected cause limit when the queue is full or its wait would take too long; deadline when the time left is too
     *     short for an answer
     */
    public Reservation admit(@Nullable Object request, long left) throws Rejected {
        long now = ticker.nanos();
        rejectIfTooLate(left, now);
        if (!queue.tryAcquire()) {
            return enqueue(request, left, now);
        }
        QueueEntry entry = new QueueEntry(queue, now, left, Prioritized.DEFAULT_URGENCY);
        entry.grantAtOnce();
        return entry;
    }

    /**
     * Acquires a permit for a call, by the reservation in its context if that can be used; waits in the queue if none is free.
     *
     * @return since when the call has its permit; it may begin now
     * @throws Rejected cause limit when the queue is full or its wait would take too long; queue when the wait took too long
     *     or the thread was interrupted (its interrupt status stays set); deadline when too little time is left for an answer
     */
    long acquire(@Nullable Object request, CallContext callContext) throws Rejected {
        if (callContext.reservation() instanceof QueueEntry entry && entry.claim(queue)) {
            return paced(await(entry, callContext), callContext);
        }
        long left = callContext.timeLeft();
        rejectIfTooLate(left, callContext.now());
        long now = callContext.now();
        return paced(queue.tryAcquire() ? now : await(enqueue(request, left, now), callContext), callContext);
    }

    /**
     * Rejects a request whose time left is too short for an answer, even if a permit is free. Now and then one is sent
     * anyway, so that a wrong estimate of the answer time gets corrected; as long as that changes nothing, ever more rarely, since
     * it mostly ends as unknown.
     */
    private void rejectIfTooLate(long left, long now) throws Rejected {
        QueuePolicy policy = queue.policy();
        long answer = policy.answerNanos();
        if (left >= answer || !policy.isTooLate(left, queue.out())) {
            return;
        }
        Trial before = lastTrial.get();
        boolean corrected = answer < before.answerNanos() - before.answerNanos() / 8;
        long wait = corrected ? policy.trialNanos() : Math.max(before.next(), policy.trialNanos());
        Trial trial = new Trial(now, Math.min(corrected ? wait : 2 * wait, Trial.LONGEST_NANOS), answer);
        if (left <= 0 || now - before.at() < wait || !lastTrial.compareAndSet(before, trial)) {
            throw queue.onArrival(Cause.DEADLINE, left);
        }
    }

    private QueueEntry enqueue(@Nullable Object request, long left, long now) throws Rejected {
        waited.add(now);
        updater.blocked(now);
        QueueEntry entry = new QueueEntry(queue, now, left, settings.urgencyOf(request), settings.callerOf(request));
        queue.enqueue(entry);
        return entry;
    }

    private long await(QueueEntry entry, CallContext callContext) throws Rejected {
        entry.await();
        if (entry.waited()) {
            long waited = callContext.tick() - entry.arrival;
            waits.record(waited);
            callContext.waited(Wait.PERMIT, waited);
        }
        if (!entry.transition(State.GRANTED, State.USED)) {
            Rejected why = entry.rejection();
            throw why != null
                    ? why
                    : queue.rejected(Cause.QUEUE, () -> "its reservation was closed while it waited for a permit");
        }
        long left = callContext.timeLeft();
        if (left <= 0 || (entry.waited() && queue.policy().isTooLate(left, queue.out() - 1))) {
            // Granted too late: the answer would come after the deadline.
            queue.release(callContext.now());
            throw queue.late();
        }
        return entry.grantedAt();
    }

    /** Waits for the slot of a call that has a permit, where the target bounds the rate; returns when it may begin. */
    private long paced(long granted, CallContext callContext) throws Rejected {
        // A reservation may have been granted long ago, so slots count from now.
        long now = callContext.now();
        long left = callContext.timeLeft();
        long pause = target.pace(now, queue.policy().maxWaitNanos(left));
        if (pause == 0) {
            return granted;
        }
        long until = now + pause;
        Cause cause = pause < 0 ? queue.policy().causeOfTimeout(left) : null;
        while (cause == null && callContext.tick() - until < 0) {
            ticker.parkUntil(until);
            cause = Thread.currentThread().isInterrupted() ? Cause.QUEUE : null;
        }
        long waited = callContext.tick() - now;
        waits.record(waited);
        callContext.waited(Wait.PERMIT, waited);
        if (cause != null) {
            queue.release(callContext.tick());
            boolean interrupted = Thread.currentThread().isInterrupted();
            throw queue.rejected(
                    cause,
                    () -> interrupted
                            ? "the caller was interrupted while it waited for its slot"
                            : "calls to the target may begin at a rate of %s, and more come; send fewer, or raise the rate if it is set"
                                    .formatted(target.rate().value()));
        }
        return callContext.now();
    }

    /** A call begins. Null when it does not show the capacity of the target. */
    @Nullable
    Turn begin(long start) {
        return updater.begin(start);
    }

    /** The target has answered. */
    void answered(@Nullable Turn turn, long start, long now, boolean dropped) {
        queue.release(now);
        updater.finished(turn, start, now, dropped ? Outcome.DROPPED : Outcome.SUCCESS);
    }

    /** The call ended without an answer. A stray call keeps its permit. */
    void unanswered(@Nullable Turn turn, long start, CallContext callContext, Outcome outcome) {
        if (!callContext.takeStrayCall()) {
            queue.release(callContext.now());
        }
        updater.finished(turn, start, callContext.now(), outcome);
    }

    /** Releases the permit of a call that continued after its attempt had ended: see {@link CallContext#takeStrayCall}. */
    public void strayCallEnded() {
        queue.release();
    }

    /** The breaker has opened: until it closes, calls do not show the capacity of the target. */
    public void cutOff() {
        updater.cutOff();
    }

    /** The breaker has closed. */
    public void resumed(long now) {
        updater.resumed(now);
    }

    /** Pins how long a request may wait, also those that already wait; null unpins it. Throws if the time is negative. */
    public void pinQueueTime(@Nullable Duration time) {
        adapt(bounds -> bounds.withTime(time == null ? settings.time() : time));
    }

    /** Pins how many requests may wait; null unpins it. Throws if the length is out of range. */
    public void pinQueueLength(@Nullable Integer length) {
        adapt(bounds -> bounds.withLength(length == null ? settings.length() : length));
    }

    private void adapt(UnaryOperator<QueueSettings> change) {
        queue.adapt(policy -> policy.with(change.apply(policy.settings())), ticker.nanos());
    }

    /** The limit of the target, for all flows that share it. */
    public SharedLimit target() {
        return target;
    }

    /** The current maximum time that a request may wait. */
    public LiveSetting.Now queueTimeBound() {
        return queue.policy().timeBound();
    }

    /** The current maximum number of waiting requests, for requests without a deadline. */
    public LiveSetting.Now queueLengthBound() {
        return queue.policy().lengthBound(share(), queue.isStanding());
    }

    /** The number of additional requests that could be sent now without waiting. */
    public int headroom() {
        return Math.max(0, share() - queue.out() - queue.waiting());
    }

    /** The wait queue: requests that found no permit free waited or were rejected. */
    public StageReport report() {
        QueuePolicy policy = queue.policy();
        int waiting = queue.waiting();
        int own = queue.out();
        int others = Math.max(0, target.permits.out() - own);
        String note = "%d of %d permits in use, %d waiting".formatted(own, target.permits(), waiting);
        return new StageReport(
                "queue",
                waited.total(),
                waited.perSecond(ticker.nanos()),
                waiting,
                policy.maxAhead(share(), policy.queueNanos(), queue.isStanding()),
                others == 0 ? note : "%s; other flows to the target use %d".formatted(note, others),
                waits.snapshot());
    }

    /** The number of permits that this flow gets when its requests wait: its fair share, or all if it shares them with none. */
    public int share() {
        return queue.share();
    }
}
