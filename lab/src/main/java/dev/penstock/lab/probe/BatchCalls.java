package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.Throttle;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the calls that a {@link BatchSweep} asks for, one by one. */
record BatchCalls(BatchPort port, Throttle throttle, Ticker ticker) {
    /**
     * Calls until the sweep is over, or the clock reads {@code until}.
     *
     * @return null when too little was answered to tell
     */
    @Nullable
    BatchFinding run(long until) throws InterruptedException {
        BatchSweep sweep = BatchSweep.upTo(port.most());
        for (Optional<Integer> next = next(sweep, until); next.isPresent(); next = next(sweep, until)) {
            throttle.await(ticker);
            int size = next.get();
            try {
                sweep.took(size, port.call(size).toNanos() / 1e9);
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
