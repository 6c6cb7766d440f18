package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Throttle;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Validity;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;

/**
 * Measures the levels of a {@link KneeSearch}, each with a closed-model load.
 *
 * @param measuring held during each level
 * @param seed the same seed gives the same start times of callers
 */
record KneeRounds(
        ProbePeer peer, Throttle throttle, Ticker ticker, Consumer<? super String> watcher, Lock measuring, long seed) {
    /**
     * When callers were throttled for more than this share of their time, the throttle was measured, not the target.
     */
    private static final double HELD_BACK = 0.1;

    private static final Duration GRACE = Duration.ofSeconds(10);

    /** Measures until the search is over or the clock reaches {@code until}. */
    void run(KneeSearch search, long until) throws InterruptedException {
        for (Optional<KneeSearch.Level> next = next(search, until); next.isPresent(); next = next(search, until)) {
            KneeSearch.Level level = next.get();
            watcher.accept("%,d concurrent calls".formatted(level.concurrency()));
            ClosedLoad load = load(level);
            search.record(observation(level, measured(load), load.heldBack()));
        }
    }

    private LoadResult measured(ClosedLoad load) throws InterruptedException {
        measuring.lockInterruptibly();
        try {
            return peer.run(load);
        } finally {
            measuring.unlock();
        }
    }

    private Optional<KneeSearch.Level> next(KneeSearch search, long until) {
        return search.next(Math.max(0, until - ticker.nanos()) / 1e9);
    }

    private ClosedLoad load(KneeSearch.Level level) {
        return ClosedLoad.of(level.concurrency(), Duration.ZERO)
                .throttledBy(throttle)
                .beginningWithin(time(level.warmUp() / 2), seed + level.concurrency())
                .warmUp(time(level.warmUp()))
                .lasting(time(level.whole()))
                .grace(GRACE)
                .ticker(ticker);
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos((long) Math.ceil(1e9 * seconds));
    }

    /**
     * Throughput is callers / mean time. By Little's law this equals the counted answers, but without the error of a
     * call more or less at the ends of the window. If some callers hung and made no calls, that overestimates; the
     * counted answers plus one per caller are then the upper bound.
     *
     * <p>Only the mean is used, so lag matters only as far as it moves the mean (see {@link Validity}).
     */
    static KneeObservation observation(KneeSearch.Level level, LoadResult result, Duration heldBack) {
        long calls = result.counts().started();
        double mean = result.response().mean().orElse(0) / 1e9;
        boolean paced = heldBack.toNanos() / 1e9 > HELD_BACK * level.concurrency() * result.windowSeconds();
        if (calls == 0 || mean <= 0 || result.windowSeconds() <= 0) {
            return new KneeObservation(level.concurrency(), 0, 0, 1, 0, 0, 0, paced);
        }
        double right = (double) result.counts().right() / calls;
        double spread = result.response().histogram().getStdDeviation() / 1e9 / mean;
        return new KneeObservation(
                level.concurrency(),
                right * Math.min(level.concurrency() / mean, (calls + level.concurrency()) / result.windowSeconds()),
                mean,
                1 - right,
                calls,
                spread,
                lagShare(result),
                paced);
    }

    private static double lagShare(LoadResult result) {
        long response = result.response().mean().orElse(0);
        long service = result.service().mean().orElse(0);
        return service < result.response().leastMean() ? 1 - (double) service / response : 0;
    }
}
