package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Throttle;
import dev.penstock.lab.measure.LoadResult;
import java.io.IOException;
import java.time.Duration;

/**
 * The first measurement of a probe: calls one after another, for the round trip time.
 *
 * @param peer the target
 * @param throttle limits the rate of calls, together with other measurements
 * @param ticker the clock
 */
record SequentialCalls(ProbePeer peer, Throttle throttle, Ticker ticker) {
    private static final int FIRST = 3;
    private static final double SHARE = 0.06;
    private static final Duration GRACE = Duration.ofSeconds(30);

    /**
     * Measures.
     *
     * @param whole the time of the whole probe
     * @throws IOException when too few calls are answered correctly; the message says what to do
     */
    LoadResult measured(Duration whole) throws IOException, InterruptedException {
        Duration time = Probe.share(whole, SHARE);
        // The first call of a process loads classes and opens a connection, so it is slower than all others.
        peer.run(load().count(FIRST));
        LoadResult result = peer.run(load().warmUp(time.dividedBy(6)).lasting(time));
        long right = result.counts().right();
        if (2 * right < result.counts().started() || right == 0) {
            throw new IOException(
                    "%s answered only %,d of %,d sequential calls correctly: make one call by hand and check its answer"
                            .formatted(peer.where(), right, result.counts().started()));
        }
        return result;
    }

    private ClosedLoad load() {
        return ClosedLoad.of(1, Duration.ZERO)
                .throttledBy(throttle)
                .grace(GRACE)
                .ticker(ticker);
    }
}
