package dev.penstock.meter;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * The innermost stage, around the target itself: times each attempt on its own, without any wait of ours, and turns
 * whatever the target throws into an ending.
 *
 * <p>Safe for many threads. Works inside of a {@link Meter} only, whose clock reading it shares.
 */
public final class AttemptMeter {
    private final Ticker ticker;
    private final RecentCount started;
    private final LongAdder finished = new LongAdder();
    private final Timings timings = new Timings();

    /**
     * A meter that has seen nothing.
     *
     * @param ticker the clock of the flow that it stands in
     */
    public AttemptMeter(Ticker ticker) {
        this.ticker = ticker;
        this.started = new RecentCount(Ledger.RECENTLY, ticker.nanos());
    }

    /** Puts this meter around a target. */
    public <Q, R> Service<Q, R> around(Service<Q, R> target) {
        return request -> measure(request, target);
    }

    private <Q, R> R measure(Q request, Service<Q, R> target) throws Exception {
        Transit transit = Transit.required();
        long start = transit.now();
        started.add(start);
        try {
            return target.call(request);
        } catch (Unanswered ending) {
            throw ending;
        } catch (Exception unexpected) {
            throw unknown(unexpected);
        } finally {
            timings.record(transit.tick() - start);
            finished.increment();
        }
    }

    /** The ending of a transaction whose target threw something that is no ending. */
    static Unknown unknown(Throwable unexpected) {
        if (unexpected instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new Unknown(
                    Unknown.Cause.INTERRUPTED, "the caller was interrupted while the target worked", unexpected);
        }
        return new Unknown(
                Unknown.Cause.ERROR,
                "the target threw " + unexpected + ", which does not tell what became of it",
                unexpected);
    }

    /** How many attempts were sent to the target. */
    public long started() {
        return started.total();
    }

    /** How many attempts were sent each second, over the last 10 s. */
    public double startedPerSecond() {
        return started.perSecond(ticker.nanos());
    }

    /** How many attempts the target has now. */
    public long inFlight() {
        long done = finished.sum();
        return started.total() - done;
    }

    /** How long attempts took, in nanoseconds. */
    public Histogram times() {
        return timings.snapshot();
    }
}
