package dev.penstock.races.hop;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.machine.Cores;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * At half load (open model): the latency of a hop that is not saturated. The rate is either half of Penstock's maximum
 * for all contestants, or half of each contestant's own maximum. In the first case, a peer whose maximum is too low
 * gets half of its own.
 * <h2>Design note</h2>
 *
 * <p>wrk is a closed model without a rate, and its script can only pause for whole milliseconds, so all paused
 * connections send at the same moment. Here, arrivals are a Poisson process that does not depend on earlier answers.
 * The sender shares its core with the origin and cannot busy-wait, so it starts up to 100 us late. The goals use the
 * latency from when a request was written; the latency from when it was due and the lag are reported too.
 *
 * <p>Penstock's maximum is measured in the same open model, with a higher rate than it can handle. It is lower than
 * wrk's throughput: in a closed model, requests arrive in groups, while here each request that arrives alone costs its
 * own wake-ups. At half of wrk's throughput, a hop on the JVM keeps its core busy for 0.8 of the time or more, which is
 * not half load.
 *
 * <p>A freshly started JVM disturbs what it measures: on a shared core, its compiler alone made HAProxy wait for 5 ms
 * at a time. So the whole process stays on the sender's core, and warms up for 20 s.
 */
final class HalfCourse extends HopCourse {
    private static final double HALF = 0.5;
    private static final double MAX_LOAD = 0.8;

    /** Which maximum the rate is half of. */
    enum Share {
        /**
         * Penstock's: the same rate for all, as seen by a user who puts a hop in front of a server. Goals apply to
         * this course.
         */
        SAME("half"),
        /** Each contestant's own: all are about equally busy, and faster contestants get a higher rate. */
        OWN("half-own");

        private final String course;

        Share(String course) {
            this.course = course;
        }
    }

    private final Share share;
    private final MaxRate maxRate;

    HalfCourse(Share share, MaxRate maxRate) {
        this.share = share;
        this.maxRate = maxRate;
    }

    Share share() {
        return share;
    }

    @Override
    public String name() {
        return share.course;
    }

    @Override
    String load(Effort effort) {
        String rate = share == Share.OWN
                ? "at half of each contestant's own maximum rate of such requests"
                : "at half of penstock's maximum rate of such requests, or half of its own for a contestant that cannot"
                        + " reach that";
        return "Poisson arrivals " + rate + ", for " + lasting(effort).toSeconds() + " s over up to "
                + HopCallers.MAX_CONNECTIONS + " connections";
    }

    private static Duration warmUp(Effort effort) {
        return Duration.ofSeconds(effort == Effort.FULL ? 20 : 6);
    }

    /** Twice as long as in the full course, because tail percentiles need more samples. */
    private static Duration lasting(Effort effort) {
        return measured(effort).multipliedBy(2);
    }

    @Override
    public Duration blockTime(Effort effort) {
        return super.blockTime(effort).plus(measured(effort)).plus(warmUp(effort));
    }

    @Override
    public List<String> judged() {
        return List.of("service_p99_ms", "p99_ms");
    }

    @Override
    public List<String> shown() {
        return List.of(
                "tps",
                "service_p50_ms",
                "service_p99_ms",
                "p50_ms",
                "p99_ms",
                "lag_p99_ms",
                "child_cpu_us_per_tx",
                "of_core",
                "child_rss_peak_mb",
                "errors");
    }

    @Override
    BlockResult run(Relay relay, Block block) throws Exception {
        HopContestants contestant = HopContestants.named(block.entry());
        double rate = share == Share.OWN ? HALF * maxRate(contestant, block) : sameRate(contestant, block);
        try (Cores.Stay _ = Cores.here().keepProcess()) {
            return measured(relay, rate, block);
        }
    }

    private double sameRate(HopContestants contestant, Block block) throws Exception {
        double rate = HALF * maxRate(HopContestants.STAGES, block);
        if (contestant.isOnTheJvm()) {
            double own = maxRate(contestant, block);
            return rate > MAX_LOAD * own ? HALF * own : rate;
        }
        return rate;
    }

    private double maxRate(HopContestants contestant, Block block) throws Exception {
        return maxRate.of(contestant, block.effort(), warmUp(block.effort()), block.seed());
    }

    private static BlockResult measured(Relay relay, double rate, Block block) throws Exception {
        Duration warmUp = warmUp(block.effort());
        Duration lasting = lasting(block.effort());
        ChildProbe probe = relay.probe();
        LongAdder answers = new LongAdder();
        LoadResult result = HopCallers.run(
                relay,
                rate,
                warmUp,
                lasting,
                block.seed(),
                (outcome, intended, start, end) -> answers.add(outcome == Outcome.RIGHT ? 1 : 0));
        Map<String, Double> metrics = result.metrics();
        metrics.remove("cpu_us_per_tx");
        metrics.putAll(relay.used(probe, answers.sum(), lasting.plus(warmUp).toMillis() / 1e3));
        return new BlockResult(
                metrics,
                result.response().curve(),
                null,
                result.tps() < MaxRate.MIN_ANSWERED_SHARE * rate
                        ? "only " + Math.round(result.tps()) + "/s of " + Math.round(rate) + "/s answered"
                        : null);
    }

    /**
     * The maximum throughput of each hop in an open model, found by raising the rate until some requests are not answered.
     * Measured once per race. It is lower than what wrk achieves, see {@link HalfCourse}. Thread-safe; one thread measures
     * at a time.
     */
    static final class MaxRate {
        /** A hop that answers a smaller share of the requests than this cannot sustain the rate. */
        static final double MIN_ANSWERED_SHARE = 0.95;

        private static final double FIRST_SHARE = 0.5;
        private static final double STEP_FACTOR = 1.2;
        private static final Duration MEASUREMENT = Duration.ofSeconds(4);
        private static final Duration NEXT_WARM_UP = Duration.ofSeconds(2);

        private final Map<HopContestants, Double> known = new EnumMap<>(HopContestants.class);

        /** The maximum rate per second. */
        synchronized double of(HopContestants contestant, Effort effort, Duration warmUp, long seed) throws Exception {
            Double maxRate = known.get(contestant);
            if (maxRate == null) {
                try (Relay relay = Relay.start(contestant, Cores.here())) {
                    HopCourse.warmUp(relay, effort);
                    double first = FIRST_SHARE * relay.fullFor(MEASUREMENT).getOrDefault("tps", 0.0);
                    try (Cores.Stay _ = Cores.here().keepProcess()) {
                        maxRate = from(first, relay, warmUp, seed);
                    }
                }
                known.put(contestant, maxRate);
            }
            return maxRate;
        }

        /** Raises the rate until not all requests are answered. */
        private static double from(double first, Relay relay, Duration firstWarmUp, long seed) throws Exception {
            double rate = first;
            Duration warmUp = firstWarmUp;
            while (true) {
                double answered = HopCallers.run(relay, rate, warmUp, MEASUREMENT, seed, EndListener.NOBODY)
                        .tps();
                if (answered < MIN_ANSWERED_SHARE * rate) {
                    return answered;
                }
                rate *= STEP_FACTOR;
                warmUp = NEXT_WARM_UP;
            }
        }
    }
}
