package dev.penstock.limit;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.meter.RecentCount;
import dev.penstock.meter.Timings;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Bounds how many calls are at the target at once, and lets a bounded number of others wait a bounded time for their turn.
 *
 * <p>As a stage of a flow it takes care of its permits by itself. Alone, take a permit with {@link #acquire} and close it.
 * Safe for many threads.
 */
public final class Limit {
    private final LimitController controller;
    private final WaitQueue queue;
    private final int queueLength;
    private final long queueNanos;
    private final Ticker ticker;
    private final Timings waits = new Timings();
    private final RecentCount waited;
    private final LoadSamples samples;

    /**
     * A limit with its wait queue.
     *
     * @param controller decides how many permits there are
     * @param queueLength how many may wait at once; 0 or more, 0 lets nobody wait
     * @param queueTime how long each may wait; 0 or more
     * @param ticker the clock that waits go by
     * @throws IllegalArgumentException when the queue's length or time is negative
     */
    public Limit(LimitController controller, int queueLength, Duration queueTime, Ticker ticker) {
        if (queueLength < 0 || queueTime.isNegative()) {
            throw new IllegalArgumentException("a wait queue has a length and a time of 0 or more, not " + queueLength
                    + " and " + Durations.words(queueTime));
        }
        this.controller = controller;
        this.queueLength = queueLength;
        this.queueNanos = Durations.nanos(queueTime);
        this.ticker = ticker;
        this.waited = new RecentCount(Duration.ofSeconds(10), ticker.nanos());
        this.queue = new WaitQueue(controller::permits, queueLength, ticker);
        this.samples = new LoadSamples(ticker.nanos(), controller::sample);
    }

    /** Puts this limit around a service. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return request -> {
            Transit transit = Transit.required();
            enter(transit);
            long start = transit.now();
            Permit.Outcome outcome = Permit.Outcome.IGNORED;
            try {
                R answer = next.call(request);
                outcome = Permit.Outcome.SUCCESS;
                return answer;
            } catch (Unanswered ending) {
                outcome = outcome(ending);
                throw ending;
            } finally {
                release(start, transit.now(), outcome);
            }
        };
    }

    /**
     * Takes a permit, waiting in line for it if need be.
     *
     * @return the permit, to be closed exactly once
     * @throws Rejected cause limit when the queue is full, queue when the wait took too long or the thread was interrupted
     *     (its interrupt status stays set), deadline when the calling thread's deadline came first
     */
    public Permit acquire() throws Rejected {
        Transit transit = Transit.begin(ticker);
        try {
            enter(transit);
            return new Permit(this, transit.now());
        } finally {
            transit.end();
        }
    }

    private void enter(Transit transit) throws Rejected {
        if (queue.tryAcquire()) {
            return;
        }
        long queueEnd = transit.now() + queueNanos;
        boolean deadlineFirst = transit.timeLeft() < queueNanos;
        long from = transit.now();
        waited.add(from);
        samples.refused();
        WaitQueue.Wait wait = queue.await(deadlineFirst ? transit.deadline() : queueEnd);
        if (wait != WaitQueue.Wait.FULL) {
            waits.record(transit.tick() - from);
        }
        switch (wait) {
            case GRANTED -> giveBackIfLate(transit);
            case FULL -> throw full();
            case INTERRUPTED ->
                throw new Rejected(Rejected.Cause.QUEUE, "its caller was interrupted while it waited for a permit");
            case TIMED_OUT -> throw deadlineFirst ? late() : tooLong();
        }
    }

    /** What has no time left when its turn comes is not sent: its answer could not be wanted any more. */
    private void giveBackIfLate(Transit transit) throws Rejected {
        if (transit.timeLeft() <= 0) {
            queue.release();
            throw late();
        }
    }

    void release(long start, long now, Permit.Outcome outcome) {
        queue.release();
        samples.finished(now, now - start, queue.out(), outcome);
    }

    private static Permit.Outcome outcome(Unanswered ending) {
        return switch (ending) {
            case Rejected rejected -> Permit.Outcome.IGNORED;
            case Failed failed ->
                failed.why() == Failed.Cause.CONNECT ? Permit.Outcome.IGNORED : Permit.Outcome.SUCCESS;
            case Unknown unknown ->
                unknown.why() == Unknown.Cause.TIMEOUT ? Permit.Outcome.DROPPED : Permit.Outcome.IGNORED;
        };
    }

    private Rejected full() {
        return new Rejected(
                Rejected.Cause.LIMIT,
                "all " + controller.permits() + " permits are in use and " + queueLength + " wait already");
    }

    private Rejected tooLong() {
        return new Rejected(
                Rejected.Cause.QUEUE,
                "it waited " + Durations.words(queueNanos) + " for one of " + controller.permits() + " permits");
    }

    private static Rejected late() {
        return new Rejected(Rejected.Cause.DEADLINE, "the time was up while it waited for a permit");
    }

    /** How many permits are out. */
    public int inFlight() {
        return queue.out();
    }

    /** How many wait for a permit. */
    public int waiting() {
        return queue.waiting();
    }

    /** How many may wait at once. */
    public int queueLength() {
        return queueLength;
    }

    /** How many permits there are. */
    public int permits() {
        return controller.permits();
    }

    /** Why there are that many. */
    public String reason() {
        return controller.reason();
    }

    /** How many had to wait so far, or were turned away because the queue was full. */
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

    Ticker ticker() {
        return ticker;
    }
}
