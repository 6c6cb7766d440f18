package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * How a tuner did in a scenario, beside the oracle that knows the best limit in advance.
 *
 * @param scenario its name
 * @param whole useful answers over the whole scenario, as a share of the oracle's
 * @param phases the steady phases
 * @param p99Millis of the time from arrival to answer
 */
record Score(String scenario, double whole, List<Phase> phases, double p99Millis) {
    private static final long LOOK = 2 * World.SECOND;
    private static final double ADAPTED = 0.95;

    /**
     * A phase that is long enough to be steady in its second part.
     *
     * @param best its best limit
     * @param steady useful answers in the steady part, as a share of the oracle's
     * @param adaptedSeconds from its start until 2 s give 95 % of what they give the oracle
     * @param slowestSeconds when it ought to have adapted at the latest
     * @param overshoot the most permits in the steady part, as a multiple of the best
     */
    record Phase(int best, double steady, double adaptedSeconds, double slowestSeconds, double overshoot) {}

    static Score of(Scenario scenario, Function<Scenario, Tuner> tuner, long seed) {
        return of(scenario, Run.of(scenario, tuner.apply(scenario), seed), Run.ofOracle(scenario, seed));
    }

    private static Score of(Scenario scenario, Log log, Log oracle) {
        List<Phase> phases = new ArrayList<>();
        long from = 0;
        for (Scenario.Phase phase : scenario.phases()) {
            long to = from + phase.nanos();
            if (phase.steady()) {
                phases.add(score(phase, from, to, log, oracle));
            }
            from = to;
        }
        return new Score(scenario.name(), share(log, oracle, 0, from), List.copyOf(phases), log.p99Millis());
    }

    private static Phase score(Scenario.Phase phase, long from, long to, Log log, Log oracle) {
        double slowest = phase.slowestToAdapt();
        long steadyFrom = from + Math.min(Math.round(slowest * World.SECOND), phase.nanos() * 2 / 3);
        int most = 0;
        for (long at = steadyFrom; at < to; at += Log.SLICE) {
            most = Math.max(most, log.permitsAt(at));
        }
        return new Phase(
                phase.best(),
                share(log, oracle, steadyFrom, to),
                adapted(from, to, log, oracle) / (double) World.SECOND,
                slowest,
                (double) most / phase.best());
    }

    private static long adapted(long from, long to, Log log, Log oracle) {
        for (long at = from; at + LOOK <= to; at += Log.SLICE) {
            if (share(log, oracle, at, at + LOOK) >= ADAPTED) {
                return at - from;
            }
        }
        return to - from;
    }

    private static double share(Log log, Log oracle, long from, long to) {
        return (double) log.useful(from, to) / Math.max(1, oracle.useful(from, to));
    }

    /** The worst steady part. */
    double steady() {
        return phases.stream().mapToDouble(Phase::steady).min().orElse(1);
    }

    double adaptedSeconds() {
        return phases.stream().mapToDouble(Phase::adaptedSeconds).max().orElse(0);
    }

    double overshoot() {
        return phases.stream().mapToDouble(Phase::overshoot).max().orElse(0);
    }
}
