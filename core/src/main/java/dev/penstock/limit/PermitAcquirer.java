package dev.penstock.limit;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.limit.Permit.Outcome;
import dev.penstock.limit.QueueEntry.State;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.Timings;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The way of a request to a permit and back: it gets a free permit, waits for one, or is rejected; the end of its call is counted
 * for the controller.
 *
 * <p>Thread-safe.
 */
final class PermitAcquirer {
    /** The longest time between two requests that are sent although they look too late: 1 min. */
    private static final long LONGEST_BETWEEN_TRIALS = 60_000_000_000L;

    /**
     * A request that was sent although it looked too late.
     *
     * @param at when
     * @param next the time until the next one, in nanoseconds
     * @param answerNanos the time of an answer by the estimate that it was to correct
     */
    private record Trial(long at, long next, long answerNanos) {}

    private static final String CLOSED = "its reservation was closed while it waited for a permit";

    private final WaitQueue queue;
    private final Rejections rejections;
    private final LimitUpdater updater;
    private final QueueSettings settings;
    private final Ticker ticker;
    private final Timings waits = new Timings();
    private final RecentCount waited;
    private final AtomicReference<Trial> lastTrial;

    PermitAcquirer(WaitQueue queue, LimitUpdater updater, QueueSettings settings, Ticker ticker) {
        this.queue = queue;
        this.rejections = queue.rejections();
        this.updater = updater;
        this.settings = settings;
        this.ticker = ticker;
        this.waited = new RecentCount(Duration.ofSeconds(10), ticker.nanos());
        this.lastTrial = new AtomicReference<>(new Trial(ticker.nanos(), 0, Long.MAX_VALUE));
    }

    /** Acquires a permit for a call, by the reservation in its context if there is one that can be used. */
    long acquire(Object request, CallContext callContext) throws Rejected {
        return callContext.reservation() instanceof QueueEntry entry && mayUse(entry)
                ? await(entry, callContext)
                : acquireAnew(request, callContext);
    }

    /** Whether a reservation can be used: not one of another limit, and not one that was used or released. */
    private boolean mayUse(QueueEntry entry) {
        return entry.belongsTo(queue) && entry.claim() && entry.state() != State.CLOSED;
    }

    /**
     * Acquires a permit; waits in the queue if none is free.
     *
     * @param request only its urgency is used; null when it is not known
     * @return how long the permit was held before the call begins, in nanoseconds
     */
    long acquireAnew(@Nullable Object request, CallContext callContext) throws Rejected {
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

    /** Takes a permit or a position in the queue, without blocking. */
    Reservation reserve(@Nullable Object request, long left) throws Rejected {
        long now = ticker.nanos();
        rejectIfTooLate(left, now);
        if (!queue.tryAcquire()) {
            return enqueue(request, left, now);
        }
        QueueEntry entry = new QueueEntry(queue, now, left, Prioritized.DEFAULT_URGENCY);
        entry.grant(now);
        return entry;
    }

    /**
     * Rejects a request whose time left is too short for an answer, even if a permit is free. Now and then one is sent
     * anyway, so that a wrong estimate of the answer time gets corrected; as long as that changes nothing, ever more rarely, since
     * it mostly ends as unknown.
     */
    private void rejectIfTooLate(long left, long now) throws Rejected {
        QueuePolicy policy = queue.policy();
        if (left >= policy.answerNanos() || !policy.isTooLate(left, queue.out())) {
            return;
        }
        Trial before = lastTrial.get();
        long answer = policy.answerNanos();
        boolean corrected = answer < before.answerNanos() - before.answerNanos() / 8;
        long wait = corrected ? policy.trialNanos() : Math.max(before.next(), policy.trialNanos());
        Trial trial = new Trial(now, Math.min(corrected ? wait : 2 * wait, LONGEST_BETWEEN_TRIALS), answer);
        if (left <= 0 || now - before.at() < wait || !lastTrial.compareAndSet(before, trial)) {
            throw rejections.onArrival(Rejected.Cause.DEADLINE, left);
        }
    }

    private QueueEntry enqueue(@Nullable Object request, long left, long now) throws Rejected {
        waited.add(now);
        updater.blocked(now);
        int urgency = request == null ? Prioritized.DEFAULT_URGENCY : settings.urgencyOf(request);
        Rejected.Cause why = queue.rejectEarly(now, left, urgency);
        if (why != null) {
            throw rejections.onArrival(why, left);
        }
        QueueEntry entry = new QueueEntry(queue, now, left, urgency);
        queue.enqueue(entry);
        return entry;
    }

    private long await(QueueEntry entry, CallContext callContext) throws Rejected {
        entry.await();
        if (entry.waited()) {
            waits.record(callContext.tick() - entry.arrival());
        }
        if (!entry.transition(State.GRANTED, State.USED)) {
            Rejected why = entry.rejection();
            throw why == null ? rejections.of(Rejected.Cause.QUEUE, () -> CLOSED) : why;
        }
        long left = callContext.timeLeft();
        if (left <= 0 || (entry.waited() && queue.policy().isTooLate(left, queue.out() - 1))) {
            // Granted too late: the answer would come after the deadline.
            queue.release(callContext.now());
            throw rejections.late();
        }
        return callContext.now() - entry.grantedAt();
    }

    /** The target has answered. */
    void answered(boolean dropped, long idle, long start, long now) {
        queue.release(now);
        updater.answered(dropped, idle, start, now);
    }

    /** The call ended without an answer. A stray call keeps its permit. */
    void unanswered(long idle, long start, CallContext callContext, Outcome outcome) {
        if (!callContext.takeStrayCall()) {
            queue.release(callContext.now());
        }
        updater.finished(idle, start, callContext.now(), outcome);
    }

    /** The holder of a permit releases it. */
    void release(long idle, long start, Outcome outcome) {
        long now = ticker.nanos();
        queue.release(now);
        updater.finished(idle, start, now, outcome);
    }

    /** Counts the requests that found no permit free. */
    RecentCount waited() {
        return waited;
    }

    /** The wait times in the queue. */
    Timings waits() {
        return waits;
    }
}
