package dev.penstock.limit;

import dev.penstock.Busy;
import dev.penstock.CallContext;
import dev.penstock.Durations;
import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import dev.penstock.Reservation;
import dev.penstock.Ticker;
import dev.penstock.limit.Permit.Outcome;
import dev.penstock.limit.QueueEntry.State;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.StageReport;
import dev.penstock.meter.Timings;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits concurrent calls to the target. Further requests wait in a bounded queue for a bounded time. A request that cannot
 * be served in time is rejected immediately, on its own thread.
 *
 * <p>In a flow, a {@link LimitFilter} acquires and releases the permits. Without a flow, call {@link #acquire} and close the permit.
 * Thread-safe.
 */
public final class Limit {
    private static final Logger LOG = LoggerFactory.getLogger(Limit.class);

    private final TargetLimit target;
    private final QueueSettings settings;
    private final WaitQueue queue;
    private final Rejections rejections;
    private final Ticker ticker;
    private final Timings waits = new Timings();
    private final RecentCount waited;
    private final LimitUpdater limitUpdater;
    private final AtomicLong lastTrial;
    private final AtomicBoolean brokenBusyLogged = new AtomicBoolean();

    /**
     * A limit with a wait queue.
     *
     * @param controller decides the number of permits
     * @param settings the bounds of the wait queue
     * @param ticker the clock
     * @param random spreads the retry-after times of rejections; must be thread-safe
     */
    public Limit(LimitController controller, QueueSettings settings, Ticker ticker, RandomGenerator random) {
        this(controller, settings, null, ticker, random);
    }

    /**
     * A limit with a wait queue, as a stage of a flow.
     *
     * @param controller decides the number of permits
     * @param settings the bounds of the wait queue
     * @param attempts counts the answers of the target, before their permits are released. Null if the limit counts them
     * @param ticker the clock
     * @param random spreads the retry-after times of rejections; must be thread-safe
     */
    public Limit(
            LimitController controller,
            QueueSettings settings,
            @Nullable AttemptMeter attempts,
            Ticker ticker,
            RandomGenerator random) {
        this(controller, settings, attempts, null, ticker, random);
    }

    /**
     * As above, with a learned limit that survives restarts.
     *
     * @param learned stores the learned limit; null for none
     */
    public Limit(
            LimitController controller,
            QueueSettings settings,
            @Nullable AttemptMeter attempts,
            @Nullable LearnedLimit learned,
            Ticker ticker,
            RandomGenerator random) {
        this(new TargetLimit(controller, "", learned, false), settings, attempts, ticker, random);
    }

    /**
     * As above, with permits that several flows share.
     *
     * @param target decides the number of permits, and which flow gets the next one
     */
    public Limit(
            TargetLimit target,
            QueueSettings settings,
            @Nullable AttemptMeter attempts,
            Ticker ticker,
            RandomGenerator random) {
        long now = ticker.nanos();
        this.target = target;
        this.settings = settings;
        this.ticker = ticker;
        this.waited = new RecentCount(Duration.ofSeconds(10), now);
        this.queue = new WaitQueue(target.permits(), QueuePolicy.of(settings), ticker, random);
        this.rejections = queue.rejections();
        this.limitUpdater = new LimitUpdater(target, queue, attempts, now);
        this.lastTrial = new AtomicLong(now);
        target.addFlow();
    }

    /**
     * A limit with a wait queue of fixed bounds.
     *
     * @param controller decides the number of permits
     * @param queueLength how many requests may wait at once; 0 to 1,000,000, 0 disables the queue
     * @param queueTime how long each may wait; 0 or more
     * @param ticker the clock
     * @throws IllegalArgumentException when the length or time of the queue is out of range
     */
    public Limit(LimitController controller, int queueLength, Duration queueTime, Ticker ticker) {
        this(
                controller,
                QueueSettings.automatic().withLength(queueLength).withTime(queueTime),
                ticker,
                () -> ThreadLocalRandom.current().nextLong());
    }

    /** Acquires a permit. Returns how long the permit was held before the call begins, in nanoseconds. */
    long acquirePermit(Object request, CallContext callContext) throws Rejected {
        if (callContext.reservation() instanceof QueueEntry entry && mayUse(entry)) {
            return await(entry, callContext);
        }
        return acquireOrQueue(request, callContext);
    }

    /** The target has answered, so an exception in {@link Busy#isBusy()} must not keep the answer from the caller. */
    boolean isBusy(@Nullable Object answer) {
        try {
            return Busy.is(answer);
        } catch (RuntimeException broken) {
            if (brokenBusyLogged.compareAndSet(false, true)) {
                LOG.warn(
                        "isBusy() of an answer threw {}; such answers count as not busy; fix the class {}",
                        broken,
                        Objects.requireNonNull(answer).getClass().getName());
            }
            return false;
        }
    }

    void answered(boolean dropped, long idle, long start, long now) {
        queue.release(now);
        limitUpdater.idle(idle);
        limitUpdater.answered(dropped, start, now);
    }

    /**
     * Acquires a permit; waits in the queue if none is free.
     *
     * @return the permit; close it exactly once
     * @throws Rejected cause limit when the queue is full or its wait would take too long; queue when the wait took too long
     *     or the thread was interrupted (its interrupt status stays set); deadline when the deadline of the calling thread
     *     leaves too little time for an answer
     */
    public Permit acquire() throws Rejected {
        CallContext callContext = CallContext.begin(ticker);
        try {
            long idle = acquireOrQueue(this, callContext);
            long start = callContext.now();
            return new Permit(outcome -> release(idle, start, ticker.nanos(), outcome));
        } finally {
            callContext.end();
        }
    }

    /**
     * Admits or rejects a request without blocking: takes a permit or a position in the queue. The transaction may then begin
     * on any thread; {@linkplain CallContext#begin(Ticker, Reservation) begin} it with the reservation there. The first attempt uses the reservation;
     * retries acquire a permit of their own.
     *
     * @param request the request to send; only its urgency is used
     * @param left the time left for the transaction, in nanoseconds; {@code Long.MAX_VALUE} for no deadline
     * @return the reservation; close it in any case, after the transaction or instead of it
     * @throws Rejected cause limit when the queue is full or its wait would take too long; deadline when the time left is too
     *     short for an answer
     */
    public Reservation admit(Object request, long left) throws Rejected {
        long now = ticker.nanos();
        rejectIfTooLate(left, now);
        if (queue.tryAcquire()) {
            QueueEntry entry = new QueueEntry(queue, now, left, Prioritized.DEFAULT_URGENCY);
            entry.grant(now);
            return entry;
        }
        return enqueue(request, left, now);
    }

    /** Like {@link #admit(Object, long)}, for a request whose urgency is not known. */
    public Reservation admit(long left) throws Rejected {
        return admit(this, left);
    }

    /** Whether a reservation can be used: not one of another limit, and not one that was used or released. */
    private boolean mayUse(QueueEntry entry) {
        return entry.belongsTo(queue) && entry.claim() && entry.state() != State.CLOSED;
    }

    private long acquireOrQueue(Object request, CallContext callContext) throws Rejected {
        long left = callContext.timeLeft();
        rejectIfTooLate(left, callContext.now());
        if (queue.tryAcquire()) {
            return 0;
        }
        QueueEntry entry = enqueue(request, left, callContext.now());
        if (!entry.claim()) {
            throw new IllegalStateException("a new queue entry was already claimed");
        }
        return await(entry, callContext);
    }

    private int urgencyOf(Object request) {
        return request == this ? Prioritized.DEFAULT_URGENCY : settings.urgencyOf(request);
    }

    private QueueEntry enqueue(Object request, long left, long now) throws Rejected {
        waited.add(now);
        limitUpdater.refused(now);
        int urgency = urgencyOf(request);
        Rejected.Cause why = queue.rejectEarly(now, left, urgency);
        if (why != null) {
            throw rejections.onArrival(why, left, queue.policy(), queue.waiting());
        }
        QueueEntry entry = new QueueEntry(queue, now, left, urgency);
        queue.enqueue(entry);
        return entry;
    }

    private long await(QueueEntry entry, CallContext callContext) throws Rejected {
        queue.await(entry);
        if (entry.waited()) {
            waits.record(callContext.tick() - entry.arrival());
        }
        if (entry.transition(State.GRANTED, State.USED)) {
            releaseIfLate(entry, callContext);
            return callContext.now() - entry.grantedAt();
        }
        Rejected why = entry.refusal();
        throw why == null ? rejections.closed(queue.policy(), queue.waiting()) : why;
    }

    /** Releases a permit that was granted too late: the answer would come after the deadline. */
    private void releaseIfLate(QueueEntry entry, CallContext callContext) throws Rejected {
        long left = callContext.timeLeft();
        if (left <= 0 || (entry.waited() && queue.policy().isTooLate(left, queue.out() - 1))) {
            queue.release(callContext.now());
            throw rejections.late(queue.policy(), queue.waiting());
        }
    }

    /**
     * Rejects a request whose time left is too short for an answer, even if a permit is free. Now and then one is sent
     * anyway, so that a wrong estimate of the answer time gets corrected.
     */
    private void rejectIfTooLate(long left, long now) throws Rejected {
        QueuePolicy policy = queue.policy();
        if (left >= policy.answerNanos() || !policy.isTooLate(left, queue.out())) {
            return;
        }
        long before = lastTrial.get();
        if (left <= 0 || now - before < policy.trialNanos() || !lastTrial.compareAndSet(before, now)) {
            throw rejections.onArrival(Rejected.Cause.DEADLINE, left, policy, queue.waiting());
        }
    }

    void unanswered(long idle, long start, CallContext callContext, Outcome outcome) {
        if (callContext.takeStrayCall()) {
            finished(idle, start, callContext.now(), outcome);
        } else {
            release(idle, start, callContext.now(), outcome);
        }
    }

    /** Releases the permit of a call that continued after its attempt had ended: see {@link CallContext#takeStrayCall}. */
    public void strayCallEnded() {
        queue.release(ticker.nanos());
    }

    private void release(long idle, long start, long now, Outcome outcome) {
        queue.release(now);
        finished(idle, start, now, outcome);
    }

    private void finished(long idle, long start, long now, Outcome outcome) {
        limitUpdater.idle(idle);
        limitUpdater.finished(start, now, outcome);
    }

    /**
     * Notifies the controller that the breaker has opened: further samples do not show the capacity of the target.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    public void cutOff(long now) {
        limitUpdater.cutOff(now);
    }

    /**
     * Notifies the controller that the breaker has closed.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    public void resumed(long now) {
        limitUpdater.resumed(now);
    }

    /** Stores the learned limit for the next process, if there is a store. */
    public void keepLearned() {
        limitUpdater.keepLearned();
    }

    /** The number of additional requests that could be sent now without waiting. */
    public int headroom() {
        return Math.max(0, share() - queue.out() - queue.waiting());
    }

    /** The number of permits that this flow holds, including those of stray calls. */
    public int inFlight() {
        return queue.out();
    }

    /** The number of permits that the other flows of a shared limit hold. */
    public int outToOthers() {
        return Math.max(0, target.permits().out() - queue.out());
    }

    /** The number of requests that wait for a permit. */
    public int waiting() {
        return queue.waiting();
    }

    /** The current maximum number of waiting requests, for requests without a deadline. */
    public int queueLength() {
        QueuePolicy policy = queue.policy();
        return policy.maxAhead(share(), policy.queueNanos(), queue.isStanding(ticker.nanos()));
    }

    /**
     * Pins the number of permits. Additional permits go to waiting requests at once; surplus permits are withdrawn as they
     * are released.
     *
     * @param wanted the number of permits, within the bounds of the controller
     * @throws IllegalArgumentException when out of these bounds; nothing has changed then
     */
    public void pin(int wanted) {
        limitUpdater.pin(wanted, ticker.nanos());
    }

    /** Unpins the number of permits: it adapts again, or returns to its configured value. Does nothing when not pinned. */
    public void unpin() {
        limitUpdater.unpin(ticker.nanos());
    }

    /**
     * Pins how long a request may wait. Applies to requests that already wait, too.
     *
     * @param time 0 or more; null for the bound of the {@link QueueSettings}
     * @throws IllegalArgumentException when it is negative; nothing has changed then
     */
    public void pinQueueTime(@Nullable Duration time) {
        QueuePolicy bounds = QueuePolicy.of(time == null ? settings : settings.withTime(time));
        queue.adapt(policy -> policy.pinnedTo(bounds.pinnedNanos()), ticker.nanos());
    }

    /**
     * Pins how many requests may wait.
     *
     * @param length 0 to 1,000,000; null for the bound of the {@link QueueSettings}
     * @throws IllegalArgumentException when out of range; nothing has changed then
     */
    public void pinQueueLength(@Nullable Integer length) {
        QueuePolicy bounds = QueuePolicy.of(length == null ? settings : settings.withLength(length));
        queue.adapt(policy -> policy.pinnedTo(bounds.pinnedLength()), ticker.nanos());
    }

    /** The current maximum time that a request may wait. */
    public QueueBound queueTimeBound() {
        QueuePolicy policy = queue.policy();
        return new QueueBound(
                Durations.format(policy.queueNanos()), "0 or more", policy.timeReason(), policy.pinnedNanos() >= 0);
    }

    /** The current maximum number of waiting requests. */
    public QueueBound queueLengthBound() {
        QueuePolicy policy = queue.policy();
        boolean standing = queue.isStanding(ticker.nanos());
        return new QueueBound(
                Integer.toString(policy.maxAhead(share(), policy.queueNanos(), standing)),
                "0.." + QueueSettings.LONGEST,
                policy.lengthReason(share(), standing),
                policy.pinnedLength() >= 0);
    }

    /** The number of permits, for all flows that share them. */
    public int permits() {
        return target.controller().permits();
    }

    /** The number of permits that this flow gets when its requests wait: its fair share, or all if it shares them with none. */
    public int share() {
        return queue.share();
    }

    /** The reason for the current number of permits. */
    public String reason() {
        return target.reason();
    }

    /** What keeps the limit from growing. */
    public LimitingFactor limitingFactor() {
        return target.controller().limitingFactor();
    }

    /** The range in which more in flight gave no more answers; null when none was seen. */
    public @Nullable Plateau plateau() {
        return target.controller().plateau();
    }

    /** The wait queue: requests that found no permit free waited or were rejected. */
    public StageReport report() {
        String note = "%d of %d permits in use, %d waiting".formatted(inFlight(), permits(), waiting());
        int others = outToOthers();
        return new StageReport(
                "queue",
                waited.total(),
                waited.perSecond(ticker.nanos()),
                waiting(),
                queueLength(),
                others == 0 ? note : "%s; other flows to the target use %d".formatted(note, others),
                waits());
    }

    /** The wait times in the queue, in nanoseconds. */
    public Histogram waits() {
        return waits.snapshot();
    }
}
