package dev.penstock.lab.probe;

import dev.penstock.Ticker;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Throttle;
import dev.penstock.lab.measure.LoadResult;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;

/** Measures the levels that a {@link KneeSearch} asks for, each by a closed load. */
final class KneeRounds {
    /** When callers were held back for more than this share of their time, it was the throttle that was measured. */
    private static final double HELD_BACK = 0.1;

    /** An answer that takes longer than so many warm-ups, each of a call and a half, does not come. */
    private static final int SLOWEST = 3;

    private static final Duration GRACE = Duration.ofSeconds(10);

    private final ProbePeer peer;
    private final Throttle throttle;
    private final Ticker ticker;
    private final Consumer<? super String> watcher;
    private final DoubleConsumer slowest;
    private final long seed;

    /**
     * Rounds.
     *
     * @param slowest is told before each level how many seconds an answer may take while it runs, and 0 in the end
     * @param seed the same seed, the same beginnings of callers
     */
    KneeRounds(
            ProbePeer peer,
            Throttle throttle,
            Ticker ticker,
            Consumer<? super String> watcher,
            DoubleConsumer slowest,
            long seed) {
        this.peer = peer;
        this.throttle = throttle;
        this.ticker = ticker;
        this.watcher = watcher;
        this.slowest = slowest;
        this.seed = seed;
    }

    /** Measures until the search is over, or the clock reads {@code until}. */
    void run(KneeSearch search, long until) throws InterruptedException {
        for (Optional<KneeLevel> next = next(search, until); next.isPresent(); next = next(search, until)) {
            KneeLevel level = next.get();
            watcher.accept("%,d at once".formatted(level.atOnce()));
            slowest.accept(SLOWEST * level.warmUp());
            ClosedLoad load = load(level);
            LoadResult result = peer.run(load);
            search.saw(seen(level, result, load.heldBack()));
        }
        slowest.accept(0);
    }

    private Optional<KneeLevel> next(KneeSearch search, long until) {
        return search.next(Math.max(0, until - ticker.nanos()) / 1e9);
    }

    private ClosedLoad load(KneeLevel level) {
        return ClosedLoad.of(level.atOnce(), Duration.ZERO)
                .throttledBy(throttle)
                .beginningWithin(time(level.warmUp() / 2), seed + level.atOnce())
                .warmUp(time(level.warmUp()))
                .lasting(time(level.whole()))
                .grace(GRACE)
                .ticker(ticker);
    }

    private static Duration time(double seconds) {
        return Duration.ofNanos((long) Math.ceil(1e9 * seconds));
    }

    /**
     * Answers a second are callers / mean time, which is the same as those counted (Little's law) without a call more or less at
     * the ends; unless some callers hung, and made no calls at all: then those counted, and one more for each, are all there can be.
     */
    static KneeObservation seen(KneeLevel level, LoadResult result, Duration heldBack) {
        long calls = result.counts().started();
        double mean = result.response().mean().orElse(0) / 1e9;
        if (calls == 0 || mean <= 0 || result.windowSeconds() <= 0) {
            return new KneeObservation(level.atOnce(), 0, 0, 1, 0, 0, false);
        }
        double right = (double) result.counts().right() / calls;
        double spread = result.response().histogram().getStdDeviation() / 1e9 / mean;
        return new KneeObservation(
                level.atOnce(),
                right * Math.min(level.atOnce() / mean, (calls + level.atOnce()) / result.windowSeconds()),
                mean,
                1 - right,
                calls,
                spread,
                heldBack.toNanos() / 1e9 > HELD_BACK * level.atOnce() * result.windowSeconds());
    }
}
