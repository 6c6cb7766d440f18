package dev.penstock.races.hop;

import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.machine.Cores;
import java.io.IOException;
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
 */
final class HalfCourse extends HopCourse {
    private static final double HALF = 0.5;
    private static final double MOST = 0.8;
    private static final double KEPT = 0.95;
    private static final Duration LOOK = Duration.ofSeconds(4);

    private final Map<Contestants, Double> full = new EnumMap<>(Contestants.class);

    @Override
    public String name() {
        return "half";
    }

    @Override
    String load(Effort effort) {
        return "at random times at half the rate that penstock has in full, at half its own for who cannot do that, for "
                + measured(effort).toSeconds() + " s over up to " + Callers.MOST + " connections";
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
        double rate = HALF * full(Contestants.STAGES, block.effort());
        if (contestant.isOnTheJvm()) {
            double own = full(contestant, block.effort());
            rate = rate > MOST * own ? HALF * own : rate;
        }
        Duration lasting = measured(block.effort());
        ChildProbe probe = relay.probe();
        LongAdder answers = new LongAdder();
        LoadResult result = Callers.run(
                relay,
                rate,
                lasting,
                block.seed(),
                (outcome, intended, start, end) -> answers.add(outcome == Outcome.RIGHT ? 1 : 0));
        Map<String, Double> metrics = result.metrics();
        metrics.remove("cpu_us_per_tx");
        metrics.putAll(
                relay.used(probe, answers.sum(), lasting.plus(Callers.WARM_UP).toMillis() / 1e3));
        return new BlockResult(
                metrics,
                result.response().curve(),
                null,
                result.tps() < KEPT * rate
                        ? "only " + Math.round(result.tps()) + "/s of " + Math.round(rate) + "/s were answered"
                        : null);
    }

    /** What one can do, measured once for a race. */
    private synchronized double full(Contestants contestant, Effort effort) throws IOException, InterruptedException {
        Double known = full.get(contestant);
        if (known == null) {
            try (Relay relay = Relay.start(contestant, Cores.here())) {
                warmUp(relay, effort);
                known = relay.fullFor(LOOK).getOrDefault("tps", 0.0);
            }
            full.put(contestant, known);
        }
        return known;
    }
}
