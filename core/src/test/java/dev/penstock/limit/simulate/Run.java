package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;

/** One tuner in one scenario. */
final class Run {
    /** Every limit that a test tries is compared with the same one. */
    private static final Map<Scenario, Map<Long, Log>> ORACLES = new ConcurrentHashMap<>();

    private Run() {}

    /** Runs a tuner through a scenario. */
    static Log of(Scenario scenario, Tuner tuner, long seed) {
        return new Play(scenario, tuner, seed).log();
    }

    /** Runs the limit that is best in each phase, known in advance. */
    static Log ofOracle(Scenario scenario, long seed) {
        return ORACLES.computeIfAbsent(scenario, key -> new ConcurrentHashMap<>())
                .computeIfAbsent(seed, key -> oracle(scenario, seed));
    }

    private static Log oracle(Scenario scenario, long seed) {
        Oracle oracle = new Oracle();
        Play play = new Play(scenario, oracle, seed);
        oracle.best = () -> play.phase().best();
        return play.log();
    }

    private static final class Oracle implements Tuner {
        private IntSupplier best = () -> 1;

        @Override
        public int permits() {
            return best.getAsInt();
        }
    }

    private static final class Play {
        private static final long NONE = Long.MAX_VALUE / 4;

        private final World world = new World();
        private final List<Scenario.Phase> phases;
        private final long deadline;
        private final long end;
        private final SplittableRandom random;
        private final SimulatedTarget target;
        private final SimulatedFlow flow;
        private final Log log;
        private int phase;
        private long phaseStart;

        Play(Scenario scenario, Tuner tuner, long seed) {
            phases = scenario.phases();
            deadline = scenario.deadlineNanos() == 0 ? NONE : scenario.deadlineNanos();
            end = Math.round(scenario.seconds() * World.SECOND);
            random = new SplittableRandom(seed);
            log = new Log(end);
            target = new SimulatedTarget(world, phases.getFirst().behaviour());
            flow = new SimulatedFlow(world, target, tuner, log);
            planPhase(phases.getFirst().nanos());
            watch(tuner);
            world.at(0, this::arrive);
        }

        Scenario.Phase phase() {
            return phases.get(phase);
        }

        Log log() {
            world.runUntil(end);
            return log;
        }

        private void planPhase(long endOfPhase) {
            if (phase + 1 < phases.size()) {
                world.at(endOfPhase, () -> {
                    phase++;
                    phaseStart = endOfPhase;
                    target.behave(phase().behaviour());
                    planPhase(endOfPhase + phase().nanos());
                });
            }
        }

        private void watch(Tuner tuner) {
            log.permits(world.now(), tuner.permits());
            world.in(Log.SLICE, () -> watch(tuner));
        }

        /** Arrivals at random (Poisson); in bursts, the same number within the first part of each second. */
        private void arrive() {
            Scenario.Phase now = phase();
            double own = random.nextDouble();
            double gap = -Math.log(1 - random.nextDouble()) / now.rate() * World.SECOND;
            flow.offer(new Attempt(world.now(), deadline, own, flow));
            long next = world.now() + Math.max(1, Math.round(gap * now.on()));
            long intoSecond = Math.floorMod(next - phaseStart, World.SECOND);
            if (intoSecond > now.on() * World.SECOND) {
                next += World.SECOND - intoSecond;
            }
            world.at(next, this::arrive);
        }
    }
}
