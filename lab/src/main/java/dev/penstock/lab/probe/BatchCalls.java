package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Throttle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the calls of a {@link BatchSweep}, one at a time. */
record BatchCalls(BatchPort port, Throttle throttle, Ticker ticker) {
    /**
     * Calls until the sweep is complete or the clock reaches {@code until}.
     *
     * @return null when too few calls were answered
     */
    @Nullable
    BatchFinding run(long until) throws InterruptedException {
        BatchSweep sweep = BatchSweep.upTo(port.most());
        for (Optional<Integer> next = next(sweep, until); next.isPresent(); next = next(sweep, until)) {
            throttle.await(ticker);
            int size = next.get();
            try {
                sweep.succeeded(size, port.call(size).toNanos() / 1e9);
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                sweep.failed(size);
            }
        }
        return sweep.finding().orElse(null);
    }

    private Optional<Integer> next(BatchSweep sweep, long until) {
        double left = (until - ticker.nanos()) / 1e9;
        return left <= 0 ? Optional.empty() : sweep.next(left);
    }
}
