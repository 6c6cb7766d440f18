package dev.penstock.races.hop;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.machine.Cores;
import java.time.Duration;
import java.util.HashMap;
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

    private final boolean own;
    private final MaxRate maxRate;

    /**
     * Declares a course.
     *
     * @param name unique in the race
     * @param own whether each contestant gets half of its own maximum, so that all are about equally busy; otherwise all
     *     get the same rate, as seen by a user who puts a hop in front of a server, and goals apply
     * @param maxRate shared by both courses
     */
    HalfCourse(String name, boolean own, MaxRate maxRate) {
        super(
                name,
                HopContestants.ALL,
                "service_p99_ms p99_ms",
                "tps service_p50_ms service_p99_ms p50_ms p99_ms lag_p99_ms child_cpu_us_per_tx of_core child_rss_peak_mb"
                        + " errors");
        this.own = own;
        this.maxRate = maxRate;
        // Twice as long as in the full course, because tail percentiles need more samples.
        lasts(LoadTimes.ofMillis(20_000, 20_000), LoadTimes.ofMillis(6_000, 6_000), Duration.ZERO);
        if (!own) {
            goals(
                    GoalRule.atMostTimes("service_p99_ms", 2, HopContestants.HAPROXY),
                    GoalRule.atMostTimes("p99_ms", 2, HopContestants.HAPROXY));
        }
    }

    @Override
    String load(Effort effort) {
        String rate = own
                ? "at half of each contestant's own maximum rate of such requests"
                : "at half of penstock's maximum rate of such requests, or half of its own for a contestant that cannot"
                        + " reach that";
        return "Poisson arrivals " + rate + ", for " + times(effort).measured().toSeconds() + " s over up to "
                + HopCallers.MAX_CONNECTIONS + " connections";
    }

    @Override
    BlockResult run(Relay relay, Block block) throws Exception {
        double rate = own ? HALF * maxRate(block.entry(), block) : sameRate(block.entry(), block);
        try (Cores.Stay _ = Cores.here().keepProcess()) {
            return measured(relay, rate, block);
        }
    }

    private double sameRate(String contestant, Block block) throws Exception {
        double rate = HALF * maxRate(HopContestants.PENSTOCK, block);
        if (HopContestants.ALL.named(contestant).isOnTheJvm()) {
            double ownMax = maxRate(contestant, block);
            return rate > MAX_LOAD * ownMax ? HALF * ownMax : rate;
        }
        return rate;
    }

    private double maxRate(String contestant, Block block) throws Exception {
        return maxRate.of(contestant, block.effort(), times(block.effort()).warmUp(), block.seed());
    }

    private BlockResult measured(Relay relay, double rate, Block block) throws Exception {
        LoadTimes times = times(block.effort());
        ChildProbe probe = relay.probe();
        LongAdder answers = new LongAdder();
        LoadResult result = HopCallers.run(
                relay,
                rate,
                times.warmUp(),
                times.measured(),
                block.seed(),
                (outcome, intended, start, end) -> answers.add(outcome == Outcome.RIGHT ? 1 : 0));
        Map<String, Double> metrics = result.metrics();
        metrics.remove("cpu_us_per_tx");
        metrics.putAll(relay.used(probe, answers.sum(), times.lasting().toMillis() / 1e3));
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

        private final Map<String, Double> known = new HashMap<>();

        /** The maximum rate per second. */
        synchronized double of(String contestant, Effort effort, Duration warmUp, long seed) throws Exception {
            Double maxRate = known.get(contestant);
            if (maxRate == null) {
                try (Relay relay = Relay.start(contestant, HopContestants.ALL.named(contestant), Cores.here())) {
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
