package dev.penstock.limit;

import dev.penstock.Busy;
import dev.penstock.Durations;
import dev.penstock.Reservation;
import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.limit.Permit.Outcome;
import dev.penstock.limit.QueueEntry.State;
import dev.penstock.meter.Meter;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.Timings;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how many calls are at the target at once, and lets a bounded number of others wait a bounded time for their turn.
 * Whoever cannot be served in time is rejected at once, on its own thread.
 *
 * <p>As a stage of a flow it takes care of its permits by itself. Alone, take a permit with {@link #acquire} and close it.
 * Safe for many threads.
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
     * A limit with its wait queue.
     *
     * @param controller decides how many permits there are
     * @param settings bounds the wait queue
     * @param ticker the clock that waits go by
     * @param random spreads the advice when to come back; safe for many threads
     */
    public Limit(LimitController controller, QueueSettings settings, Ticker ticker, RandomGenerator random) {
        this(controller, settings, null, ticker, random);
    }

    /**
     * A limit with its wait queue, as a stage of a flow.
     *
     * @param controller decides how many permits there are
     * @param settings bounds the wait queue
     * @param meter counts what the target answers, which {@link #around} then does not: whatever it is put around has an
     *     {@link dev.penstock.meter.AttemptMeter} of this meter right inside; null when nobody counts
     * @param ticker the clock that waits go by
     * @param random spreads the advice when to come back; safe for many threads
     */
    public Limit(
            LimitController controller,
            QueueSettings settings,
            @Nullable Meter meter,
            Ticker ticker,
            RandomGenerator random) {
        this(controller, settings, meter, null, ticker, random);
    }

    /**
     * As above, with a number of permits that outlives a restart.
     *
     * @param learned keeps what the controller has learned; null when nobody does
     */
    public Limit(
            LimitController controller,
            QueueSettings settings,
            @Nullable Meter meter,
            @Nullable LearnedLimit learned,
            Ticker ticker,
            RandomGenerator random) {
        this(new TargetLimit(controller, "", learned, false), settings, meter, ticker, random);
    }

    /**
     * As above, with permits that other flows may share.
     *
     * @param target decides how many permits there are, and which flow gets one
     */
    public Limit(
            TargetLimit target, QueueSettings settings, @Nullable Meter meter, Ticker ticker, RandomGenerator random) {
        long now = ticker.nanos();
        this.target = target;
        this.settings = settings;
        this.ticker = ticker;
        this.waited = new RecentCount(Duration.ofSeconds(10), now);
        this.queue = new WaitQueue(target.permits(), QueuePolicy.of(settings), ticker, random);
        this.rejections = queue.rejections();
        this.limitUpdater = new LimitUpdater(target, queue, meter, now);
        this.lastTrial = new AtomicLong(now);
        target.join();
    }

    /**
     * A limit with a wait queue whose bounds are pinned.
     *
     * @param controller decides how many permits there are
     * @param queueLength how many may wait at once; 0 or more, 0 lets nobody wait
     * @param queueTime how long each may wait; 0 or more
     * @param ticker the clock that waits go by
     * @throws IllegalArgumentException when the queue's length or time is out of range
     */
    public Limit(LimitController controller, int queueLength, Duration queueTime, Ticker ticker) {
        this(
                controller,
                QueueSettings.automatic().withLength(queueLength).withTime(queueTime),
                ticker,
                () -> ThreadLocalRandom.current().nextLong());
    }

    /** Puts this limit around a service. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return around(next, callContext -> false);
    }

    /**
     * Puts this limit around a service.
     *
     * @param callersOwn which timeouts tell nothing about the target, as the caller allowed too little time
     */
    public <Q, R> Service<Q, R> around(Service<Q, R> next, Predicate<CallContext> callersOwn) {
        return new Limited<>(this, next, callersOwn);
    }

    /** A class, not a lambda: see the design note of {@code dev.penstock.flow}. */
    private record Limited<Q, R>(Limit limit, Service<Q, R> next, Predicate<CallContext> callersOwn)
            implements Service<Q, R> {
        @Override
        public R call(Q request) throws Exception {
            CallContext callContext = CallContext.required();
            long idle = limit.come(request, callContext);
            long start = callContext.now();
            R answer;
            boolean dropped;
            try {
                answer = next.call(request);
                dropped = limit.isBusy(answer) || isLate(callContext);
            } catch (Throwable ending) {
                limit.unanswered(idle, start, callContext, outcome(ending, callContext));
                throw ending;
            }
            limit.answered(dropped, idle, start, callContext.now());
            return answer;
        }

        /** An answer that comes after its deadline is of no use, so it says as much as one that was dropped. */
        private boolean isLate(CallContext callContext) {
            return callContext.timeLeft() < 0 && !callersOwn.test(callContext);
        }

        private Outcome outcome(Throwable ending, CallContext callContext) {
            Outcome known = Outcome.of(ending);
            return known == Outcome.DROPPED && callersOwn.test(callContext) ? Outcome.IGNORED : known;
        }
    }

    /** Takes a permit; tells for how long it was out before its call begins, in nanoseconds. */
    private long come(Object request, CallContext callContext) throws Rejected {
        if (callContext.place() instanceof QueueEntry place && mayUse(place)) {
            return await(place, callContext);
        }
        return enter(request, callContext);
    }

    /** The target has answered, so a mistake in {@link Busy#isBusy()} must not take the answer from the caller. */
    private boolean isBusy(@Nullable Object answer) {
        try {
            return Busy.is(answer);
        } catch (RuntimeException broken) {
            if (brokenBusyLogged.compareAndSet(false, true)) {
                LOG.warn(
                        "isBusy() of an answer threw {}; such answers count as not busy; correct the class {}",
                        broken,
                        Objects.requireNonNull(answer).getClass().getName());
            }
            return false;
        }
    }

    private void answered(boolean dropped, long idle, long start, long now) {
        queue.release(now);
        limitUpdater.idle(idle);
        limitUpdater.answered(dropped, start, now);
    }

    /**
     * Takes a permit, waiting in line for it if need be.
     *
     * @return the permit, to be closed exactly once
     * @throws Rejected cause limit when the line has no room, or would take too long; queue when the wait took too long or
     *     the thread was interrupted (its interrupt status stays set); deadline when the calling thread's deadline leaves
     *     too little time for an answer
     */
    public Permit acquire() throws Rejected {
        CallContext callContext = CallContext.begin(ticker);
        try {
            long idle = enter(this, callContext);
            long start = callContext.now();
            return new Permit(outcome -> release(idle, start, ticker.nanos(), outcome));
        } finally {
            callContext.end();
        }
    }

    /**
     * Decides at once whether a request may come: takes a permit for it, or a place in the line, and never waits. The
     * transaction then begins on whatever thread, and {@linkplain CallContext#bring brings} the place; its first attempt goes
     * by it, repeats step in anew.
     *
     * @param request what is to be sent; tells only how urgent it is
     * @param left the time left for the transaction, in nanoseconds; {@code Long.MAX_VALUE} for no deadline
     * @return the place; close it in any case, after the transaction or instead of it
     * @throws Rejected cause limit when the line has no room, or would take too long; deadline when the time left is too
     *     little for an answer
     */
    public Reservation admit(Object request, long left) throws Rejected {
        long now = ticker.nanos();
        refuseIfHopeless(left, now);
        if (queue.tryAcquire()) {
            QueueEntry place = new QueueEntry(queue, now, left, Prioritized.DEFAULT_URGENCY);
            place.grant(now);
            return place;
        }
        return lineUp(request, left, now);
    }

    /** As {@link #admit(Object, long)}, for a request whose urgency is not known. */
    public Reservation admit(long left) throws Rejected {
        return admit(this, left);
    }

    /** Whether to go by a place that was taken before; not when it is of another limit, or was used or given back. */
    private boolean mayUse(QueueEntry place) {
        return place.isOf(queue) && place.claim() && place.state() != State.CLOSED;
    }

    private long enter(Object request, CallContext callContext) throws Rejected {
        long left = callContext.timeLeft();
        refuseIfHopeless(left, callContext.now());
        if (queue.tryAcquire()) {
            return 0;
        }
        QueueEntry me = lineUp(request, left, callContext.now());
        if (!me.claim()) {
            throw new IllegalStateException("somebody else claimed a place that nobody else knows");
        }
        return await(me, callContext);
    }

    private int urgencyOf(Object request) {
        return request == this ? Prioritized.DEFAULT_URGENCY : settings.urgencyOf(request);
    }

    private QueueEntry lineUp(Object request, long left, long now) throws Rejected {
        waited.add(now);
        limitUpdater.refused(now);
        int urgency = urgencyOf(request);
        Rejected.Cause why = queue.refuseAtOnce(now, left, urgency);
        if (why != null) {
            throw rejections.atDoor(why, left, queue.rules(), queue.waiting());
        }
        QueueEntry me = new QueueEntry(queue, now, left, urgency);
        queue.lineUp(me);
        return me;
    }

    private long await(QueueEntry me, CallContext callContext) throws Rejected {
        queue.await(me);
        if (me.waited()) {
            waits.record(callContext.tick() - me.arrival());
        }
        if (me.step(State.GRANTED, State.USED)) {
            giveBackIfLate(me, callContext);
            return callContext.now() - me.grantedAt();
        }
        Rejected why = me.refusal();
        throw why == null ? rejections.closed(queue.rules(), queue.waiting()) : why;
    }

    /** What has too little time left when its turn comes is not sent: its answer could not be wanted any more. */
    private void giveBackIfLate(QueueEntry me, CallContext callContext) throws Rejected {
        long left = callContext.timeLeft();
        if (left <= 0 || (me.waited() && queue.rules().isHopeless(left, queue.out() - 1))) {
            queue.release(callContext.now());
            throw rejections.late(queue.rules(), queue.waiting());
        }
    }

    /** A permit may be free, and yet the time left too short; one in a while is sent all the same, lest we err for ever. */
    private void refuseIfHopeless(long left, long now) throws Rejected {
        QueuePolicy rules = queue.rules();
        if (left >= rules.answerNanos() || !rules.isHopeless(left, queue.out())) {
            return;
        }
        long before = lastTrial.get();
        if (left <= 0 || now - before < rules.trialNanos() || !lastTrial.compareAndSet(before, now)) {
            throw rejections.atDoor(Rejected.Cause.DEADLINE, left, rules, queue.waiting());
        }
    }

    private void unanswered(long idle, long start, CallContext callContext, Outcome outcome) {
        if (callContext.takeStrayCall()) {
            finished(idle, start, callContext.now(), outcome);
        } else {
            release(idle, start, callContext.now(), outcome);
        }
    }

    /** Takes back the permit of a call that went on after its attempt had ended: see {@link CallContext#takeStrayCall}. */
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
     * Tells the controller that the breaker has cut the target off: what is measured from now on says nothing about it.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    public void cutOff(long now) {
        limitUpdater.cutOff(now);
    }

    /**
     * Tells the controller that the breaker lets everything through again.
     *
     * @param now the reading of the ticker, in nanoseconds
     */
    public void resumed(long now) {
        limitUpdater.resumed(now);
    }

    /** Keeps what was learned until now for the next process, where anybody keeps it. */
    public void keepLearned() {
        limitUpdater.keepLearned();
    }

    /** How many more requests would be at the target without waiting. */
    public int headroom() {
        return Math.max(0, share() - queue.out() - queue.waiting());
    }

    /** How many permits this flow has out, those of stray calls too. */
    public int inFlight() {
        return queue.out();
    }

    /** How many permits the flows that share them have out, without this one. */
    public int outToOthers() {
        return Math.max(0, target.permits().out() - queue.out());
    }

    /** How many wait for a permit. */
    public int waiting() {
        return queue.waiting();
    }

    /** How many may wait at once, as of now, without a deadline of their own. */
    public int queueLength() {
        QueuePolicy rules = queue.rules();
        return rules.room(share(), rules.queueNanos(), queue.isStanding(ticker.nanos()));
    }

    /**
     * Pins the number of permits; who waits may find one by it, and what is out beyond it comes back in its own time.
     *
     * @param wanted how many, within the controller's bounds
     * @throws IllegalArgumentException when out of these bounds; nothing has changed then
     */
    public void pin(int wanted) {
        limitUpdater.pin(wanted, ticker.nanos());
    }

    /** Lets the controller go on from where it is, or back to what it was given. Does nothing when it is not pinned. */
    public void unpin() {
        limitUpdater.unpin(ticker.nanos());
    }

    /**
     * Bounds how long a request waits from now on; who waits already is held to it too.
     *
     * @param time 0 or more; null for the bound of its {@link QueueSettings}
     * @throws IllegalArgumentException when it is negative; nothing has changed then
     */
    public void pinQueueTime(@Nullable Duration time) {
        QueuePolicy bounds = QueuePolicy.of(time == null ? settings : settings.withTime(time));
        queue.adapt(rules -> rules.pinnedTo(bounds.pinnedNanos()), ticker.nanos());
    }

    /**
     * Bounds how many may wait from now on.
     *
     * @param length 0 to 1,000,000; null for the bound of its {@link QueueSettings}
     * @throws IllegalArgumentException when out of range; nothing has changed then
     */
    public void pinQueueLength(@Nullable Integer length) {
        QueuePolicy bounds = QueuePolicy.of(length == null ? settings : settings.withLength(length));
        queue.adapt(rules -> rules.pinnedTo(bounds.pinnedLength()), ticker.nanos());
    }

    /** How long a request may wait, as of now. */
    public QueueBound queueTimeBound() {
        QueuePolicy rules = queue.rules();
        return new QueueBound(
                Durations.words(rules.queueNanos()), "0 or more", rules.timeReason(), rules.pinnedNanos() >= 0);
    }

    /** How many requests may wait, as of now. */
    public QueueBound queueLengthBound() {
        QueuePolicy rules = queue.rules();
        boolean standing = queue.isStanding(ticker.nanos());
        return new QueueBound(
                Integer.toString(rules.room(share(), rules.queueNanos(), standing)),
                "0.." + QueueSettings.LONGEST,
                rules.lengthReason(share(), standing),
                rules.pinnedLength() >= 0);
    }

    /** How many permits there are, for all flows that share them. */
    public int permits() {
        return target.controller().permits();
    }

    /** How many permits this flow gets when it waits for more; all of them where it shares them with no other. */
    public int share() {
        return queue.share();
    }

    /** Why there are that many permits. */
    public String reason() {
        return target.reason();
    }

    /** What keeps it from having more. */
    public LimitingFactor held() {
        return target.controller().held();
    }

    /** Where more in flight gave no more; null when that was not seen. */
    public @Nullable Plateau flat() {
        return target.controller().flat();
    }

    /** How many found no permit free so far: they had to wait, or were turned away. */
    public long waited() {
        return waited.total();
    }

    /** How many of them there were each second, over the last 10 s. */
    public double waitedPerSecond() {
        return waited.perSecond(ticker.nanos());
    }

    /** How long those who waited did so, in nanoseconds. */
    public Histogram waits() {
        return waits.snapshot();
    }
}
