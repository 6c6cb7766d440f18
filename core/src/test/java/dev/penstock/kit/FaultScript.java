package dev.penstock.kit;

import dev.penstock.Filter;
import dev.penstock.Service;
import dev.penstock.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Faults on a time line: a filter that throws instead of calling on, in the spans that its script names. Times count from
 * when the script was made.
 *
 * <p>Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class FaultScript<Q, R> implements Filter<Q, R> {
    private final Ticker ticker;
    private final long start;
    private final List<Fault> faults = new CopyOnWriteArrayList<>();

    private FaultScript(Ticker ticker) {
        this.ticker = ticker;
        this.start = ticker.nanos();
    }

    /**
     * A script without faults.
     *
     * @param ticker the clock that the spans go by
     */
    public static <Q, R> FaultScript<Q, R> on(Ticker ticker) {
        return new FaultScript<>(ticker);
    }

    /** From the first time up to, not including, the second: throw what is supplied. The first span that fits counts. */
    public FaultScript<Q, R> between(Duration from, Duration to, Supplier<? extends Exception> exception) {
        faults.add(new Fault(from.toNanos(), to.toNanos(), exception));
        return this;
    }

    @Override
    public Service<Q, R> around(Service<Q, R> next) {
        Service<Q, R> faulty = request -> {
            long at = ticker.nanos() - start;
            for (Fault fault : faults) {
                if (at >= fault.from && at < fault.to) {
                    throw fault.exception.get();
                }
            }
            return next.call(request);
        };
        return next.honorsDeadline() ? Service.honoringDeadline(faulty) : faulty;
    }

    private record Fault(long from, long to, Supplier<? extends Exception> exception) {}
}
