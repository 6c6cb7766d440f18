package dev.penstock.meter;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Transit;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import org.HdrHistogram.Histogram;

/**
 * The outermost stage: counts every transaction in and out, exactly once, and times the whole way.
 *
 * <p>Safe for many threads.
 */
public final class Meter {
    private final Ticker ticker;
    private final Ledger ledger;
    private final Timings timings = new Timings();

    /**
     * A meter that has seen nothing.
     *
     * @param ticker the clock that times go by
     */
    public Meter(Ticker ticker) {
        this.ticker = ticker;
        this.ledger = new Ledger(ticker.nanos());
    }

    /** Puts this meter around a service. What the service throws beside the endings ends as {@link Unknown}. */
    public <Q, R> Service<Q, R> around(Service<Q, R> next) {
        return request -> measure(request, next);
    }

    private <Q, R> R measure(Q request, Service<Q, R> next) throws Exception {
        Transit transit = Transit.begin(ticker);
        ledger.offered(transit.now());
        try {
            R answer = next.call(request);
            ledger.answered();
            return answer;
        } catch (Unanswered ending) {
            ledger.ended(ending);
            throw ending;
        } catch (Throwable unexpected) {
            Unknown ending = AttemptMeter.unknown(unexpected);
            ledger.ended(ending);
            if (unexpected instanceof Error error) {
                throw error;
            }
            throw ending;
        } finally {
            timings.record(transit.elapsed());
            transit.end();
        }
    }

    /** The accounting of this instant. */
    public Accounting accounting() {
        return ledger.snapshot();
    }

    /** How many transactions were offered each second, over the last 10 s. */
    public double offeredPerSecond() {
        return ledger.offeredPerSecond(ticker.nanos());
    }

    /** How long transactions took from their offer to their ending, in nanoseconds. */
    public Histogram times() {
        return timings.snapshot();
    }
}
