package dev.penstock.races.hop;

import dev.penstock.lab.measure.ChildProbe;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.machine.Cores;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * At half load: how long a hop takes that is not pressed. Half of what ours can do, the same rate for all but who cannot do
 * that much (the peer, which is asked for half of its own); or half of what each can do.
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

    /** Whose half. */
    enum Share {
        /** Of ours, the same rate for all: what one who puts a hop before a server gets. Promises are about this one. */
        SAME("half"),
        /** Of each one's own: all are as busy as each other, and those that can do more are asked for more. */
        OWN("half-own");

        private final String course;

        Share(String course) {
            this.course = course;
        }
    }

    private final Share share;
    private final MostAnswered most;

    HalfCourse(Share share, MostAnswered most) {
        this.share = share;
        this.most = most;
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
                ? "at half the most that each answers of such requests"
                : "at half the most that penstock answers of such requests, at half its own for who cannot do that";
        return "at random times " + rate + ", for " + lasting(effort).toSeconds() + " s over up to " + HopCallers.MOST
                + " connections";
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
        HopContestants contestant = HopContestants.named(block.entry());
        double rate = share == Share.OWN ? HALF * most(contestant, block) : same(contestant, block);
        try (Cores.Stay _ = Cores.here().keepProcess()) {
            return measured(relay, rate, block);
        }
    }

    private double same(HopContestants contestant, Block block) throws Exception {
        double rate = HALF * most(HopContestants.STAGES, block);
        if (contestant.isOnTheJvm()) {
            double own = most(contestant, block);
            return rate > MOST * own ? HALF * own : rate;
        }
        return rate;
    }

    private double most(HopContestants contestant, Block block) throws Exception {
        return most.of(contestant, block.effort(), warmUp(block.effort()), block.seed());
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
                result.tps() < MostAnswered.KEPT * rate
                        ? "only " + Math.round(result.tps()) + "/s of " + Math.round(rate) + "/s were answered"
                        : null);
    }
}
