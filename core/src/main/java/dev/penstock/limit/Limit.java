package dev.penstock.limit;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.LiveSetting;
import dev.penstock.Rejected;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Limits concurrent calls to the target. Further requests wait in a bounded queue for a bounded time. A request that cannot
 * be served in time is rejected immediately, on its own thread.
 *
 * <p>In a flow, a {@link LimitFilter} acquires and releases the permits. Without a flow, call {@link #acquire} and release the permit.
 * Thread-safe.
 */
public final class Limit {
    private final SharedLimit target;
    private final QueueSettings settings;
    private final Ticker ticker;
    private final WaitQueue queue;
    private final LimitUpdater updater;
    private final PermitAcquirer acquirer;

    /**
     * A limit with a wait queue.
     *
     * @param target decides the number of permits, and which flow gets the next one if several share them
     * @param settings the bounds of the wait queue
     * @param attempts counts the answers of the target, before their permits are released. Null if the limit counts them
     * @param ticker the clock
     * @param random spreads the retry-after times of rejections; must be thread-safe
     */
    public Limit(
            SharedLimit target,
            QueueSettings settings,
            @Nullable AttemptMeter attempts,
            Ticker ticker,
            RandomGenerator random) {
        this.target = target;
        this.settings = settings;
        this.ticker = ticker;
        this.queue = new WaitQueue(target.queues(), QueuePolicy.of(settings), ticker, random);
        this.updater = new LimitUpdater(target, queue, attempts, ticker.nanos());
        this.acquirer = new PermitAcquirer(queue, updater, settings, ticker);
        target.addFlow();
    }

    /**
     * Acquires a permit; waits in the queue if none is free.
     *
     * @return the permit; release it exactly once, by the outcome of the call
     * @throws Rejected cause limit when the queue is full or its wait would take too long; queue when the wait took too long
     *     or the thread was interrupted (its interrupt status stays set); deadline when the deadline of the calling thread
     *     leaves too little time for an answer
     */
    public Permit acquire() throws Rejected {
        CallContext callContext = CallContext.begin(ticker);
        try {
            long idle = acquirer.acquireAnew(null, callContext);
            long start = callContext.now();
            return new Permit(outcome -> acquirer.release(idle, start, outcome));
        } finally {
            callContext.end();
        }
    }

    /**
     * Admits or rejects a request without blocking: takes a permit or a position in the queue. The transaction may then begin
     * on any thread; {@linkplain CallContext#begin(Ticker, Reservation) begin} it with the reservation there. The first attempt uses the reservation;
     * retries acquire a permit of their own.
     *
     * @param request the request to send, of which only the urgency is used; null when it is not known
     * @param left the time left for the transaction, in nanoseconds; {@code Long.MAX_VALUE} for no deadline
     * @return the reservation; close it in any case, after the transaction or instead of it
     * @throws Rejected cause limit when the queue is full or its wait would take too long; deadline when the time left is too
     *     short for an answer
     */
    public Reservation admit(@Nullable Object request, long left) throws Rejected {
        return acquirer.reserve(request, left);
    }

    /** Acquires and releases permits for calls of a flow. */
    PermitAcquirer acquirer() {
        return acquirer;
    }

    /** Releases the permit of a call that continued after its attempt had ended: see {@link CallContext#takeStrayCall}. */
    public void strayCallEnded() {
        queue.release(ticker.nanos());
    }

    /** The breaker has opened: until it closes, calls do not show the capacity of the target. */
    public void cutOff() {
        updater.cutOff();
    }

    /** The breaker has closed. */
    public void resumed(long now) {
        updater.resumed(now);
    }

    // ---- pins

    /**
     * Pins how long a request may wait. Applies to requests that already wait, too.
     *
     * @param time 0 or more; null for the bound of the {@link QueueSettings}
     * @throws IllegalArgumentException when it is negative; nothing has changed then
     */
    public void pinQueueTime(@Nullable Duration time) {
        QueuePolicy bounds = QueuePolicy.of(time == null ? settings : settings.withTime(time));
        queue.adapt(policy -> policy.withPinnedNanos(bounds.pinnedNanos()), ticker.nanos());
    }

    /**
     * Pins how many requests may wait.
     *
     * @param length 0 to 1,000,000; null for the bound of the {@link QueueSettings}
     * @throws IllegalArgumentException when out of range; nothing has changed then
     */
    public void pinQueueLength(@Nullable Integer length) {
        QueuePolicy bounds = QueuePolicy.of(length == null ? settings : settings.withLength(length));
        queue.adapt(policy -> policy.withPinnedLength(bounds.pinnedLength()), ticker.nanos());
    }

    // ---- what it shows

    /** The limit of the target, for all flows that share it. */
    public SharedLimit target() {
        return target;
    }

    /** The current maximum time that a request may wait. */
    public LiveSetting.Now queueTimeBound() {
        QueuePolicy policy = queue.policy();
        return new LiveSetting.Now(
                Durations.format(policy.queueNanos()), "0s..1h", policy.timeReason(), policy.pinnedNanos() >= 0);
    }

    /** The current maximum number of waiting requests. */
    public LiveSetting.Now queueLengthBound() {
        QueuePolicy policy = queue.policy();
        return new LiveSetting.Now(
                Integer.toString(queueLength()),
                "0.." + QueueSettings.LONGEST,
                policy.lengthReason(share(), queue.isStanding(ticker.nanos())),
                policy.pinnedLength() >= 0);
    }

    /** The current maximum number of waiting requests, for requests without a deadline. */
    public int queueLength() {
        QueuePolicy policy = queue.policy();
        return policy.maxAhead(share(), policy.queueNanos(), queue.isStanding(ticker.nanos()));
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
        return Math.max(0, target.queues().out() - queue.out());
    }

    /** The number of requests that wait for a permit. */
    public int waiting() {
        return queue.waiting();
    }

    /** The wait queue: requests that found no permit free waited or were rejected. */
    public StageReport report() {
        String note = "%d of %d permits in use, %d waiting".formatted(inFlight(), target.permits(), waiting());
        int others = outToOthers();
        return new StageReport(
                "queue",
                acquirer.waited().total(),
                acquirer.waited().perSecond(ticker.nanos()),
                waiting(),
                queueLength(),
                others == 0 ? note : "%s; other flows to the target use %d".formatted(note, others),
                waits());
    }

    /** The wait times in the queue, in nanoseconds. */
    public Histogram waits() {
        return acquirer.waits().snapshot();
    }

    /** The number of permits that this flow gets when its requests wait: its fair share, or all if it shares them with none. */
    public int share() {
        return queue.share();
    }
}
