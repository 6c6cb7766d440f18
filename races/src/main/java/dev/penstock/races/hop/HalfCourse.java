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
 * At half of what ours can do, the same rate for all: how long a hop takes that is not pressed. Who cannot do that much (the
 * peer) is asked for half of its own.
 *
 * <h2>Design note</h2>
 *
 * <p>wrk waits for answers, so it knows no rate, and its script can only pause for whole milliseconds: all who pause until
 * the same one ask at once. Here requests are due at random times whatever became of earlier ones. On a core that is shared
 * with the origin the sender may not spin, so it starts up to 100 us late; the figure that is judged counts from when a
 * request was written, the others and the lag stand beside it.
 *
 * <p>What ours can do is measured in the same way, by offering more than that. It is less than what wrk gets: who waits for
 * answers is answered in company, and each request that comes alone costs wake-ups of its own. At half of what wrk gets the
 * core of a hop on the JVM is busy for 0.8 of the time and more, and that is no half load.
 *
 * <p>A young JVM that measures others gets in their way: on a shared core its compiler alone made an HAProxy wait for 5 ms at
 * a time. So it all stays on the sender's core, and asks for 20 s before it counts.
 */
final class HalfCourse extends HopCourse {
    private static final double HALF = 0.5;
    private static final double MOST = 0.8;
    private static final double KEPT = 0.95;
    private static final double FIRST = 0.5;
    private static final double MORE = 1.2;
    private static final Duration LOOK = Duration.ofSeconds(4);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final Map<Contestants, Double> most = new EnumMap<>(Contestants.class);

    @Override
    public String name() {
        return "half";
    }

    @Override
    String load(Effort effort) {
        return "at random times at half the most that penstock answers of such requests, at half its own for who cannot do"
                + " that, for " + lasting(effort).toSeconds() + " s over up to " + Callers.MOST + " connections";
    }

    private static Duration warmUp(Effort effort) {
        return Duration.ofSeconds(effort == Effort.FULL ? 20 : 6);
    }

    /** Twice as long as what is done in full: a tail needs more. */
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
        Contestants contestant = Contestants.named(block.entry());
        double rate = HALF * most(Contestants.STAGES, block);
        if (contestant.isOnTheJvm()) {
            double own = most(contestant, block);
            rate = rate > MOST * own ? HALF * own : rate;
        }
        try (Cores.Stay _ = Cores.here().keepProcess()) {
            return measured(relay, rate, block);
        }
    }

    private static BlockResult measured(Relay relay, double rate, Block block) throws Exception {
        Duration warmUp = warmUp(block.effort());
        Duration lasting = lasting(block.effort());
        ChildProbe probe = relay.probe();
        LongAdder answers = new LongAdder();
        LoadResult result = Callers.run(
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
                result.tps() < KEPT * rate
                        ? "only " + Math.round(result.tps()) + "/s of " + Math.round(rate) + "/s were answered"
                        : null);
    }

    /** The most that one answers of requests at random times, measured once for a race. */
    private synchronized double most(Contestants contestant, Block block) throws Exception {
        Double known = most.get(contestant);
        if (known == null) {
            try (Relay relay = Relay.start(contestant, Cores.here())) {
                warmUp(relay, block.effort());
                double rate = FIRST * relay.fullFor(LOOK).getOrDefault("tps", 0.0);
                try (Cores.Stay _ = Cores.here().keepProcess()) {
                    known = mostFrom(rate, relay, block);
                }
            }
            most.put(contestant, known);
        }
        return known;
    }

    /** Offers more until not all is answered. */
    private static double mostFrom(double first, Relay relay, Block block) throws Exception {
        double rate = first;
        Duration warmUp = warmUp(block.effort());
        while (true) {
            double answered = Callers.run(relay, rate, warmUp, LOOK, block.seed(), EndListener.NOBODY)
                    .tps();
            if (answered < KEPT * rate) {
                return answered;
            }
            rate *= MORE;
            warmUp = AGAIN;
        }
    }
}
