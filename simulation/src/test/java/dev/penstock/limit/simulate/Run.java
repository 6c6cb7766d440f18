package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;

/** One tuner in one scenario. */
final class Run {
    /** Every limit that a test tries is compared with the same one. */
    private static final Map<Scenario, Map<Long, Log>> ORACLES = new ConcurrentHashMap<>();

    private Run() {}

    /** Runs a tuner through a scenario. */
    static Log of(Scenario scenario, Tuner tuner, long seed) {
        return new Play(scenario, List.of(tuner), seed, Log::new).logs().getFirst();
    }

    /** Runs several limits, each with its part of the arrivals, before one target. */
    static List<Log> of(Scenario scenario, List<Tuner> tuners, long seed, LongFunction<Log> log) {
        return new Play(scenario, tuners, seed, log).logs();
    }

    /** Runs the limit that is best in each phase, known in advance. */
    static Log ofOracle(Scenario scenario, long seed) {
        return ORACLES.computeIfAbsent(scenario, key -> new ConcurrentHashMap<>())
                .computeIfAbsent(seed, key -> oracle(scenario, seed));
    }

    private static Log oracle(Scenario scenario, long seed) {
        Oracle oracle = new Oracle();
        Play play = new Play(scenario, List.of(oracle), seed, Log::new);
        oracle.best = () -> play.phase().best();
        return play.logs().getFirst();
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
        private final List<SimulatedFlow> flows = new ArrayList<>();
        private final List<Log> logs = new ArrayList<>();
        private int phase;
        private long phaseStart;

        Play(Scenario scenario, List<Tuner> tuners, long seed, LongFunction<Log> newLog) {
            phases = scenario.phases();
            deadline = scenario.deadlineNanos() == 0 ? NONE : scenario.deadlineNanos();
            end = Math.round(scenario.seconds() * World.SECOND);
            random = new SplittableRandom(seed);
            target = new SimulatedTarget(world, phases.getFirst().behaviour());
            for (Tuner tuner : tuners) {
                Log log = newLog.apply(end);
                logs.add(log);
                flows.add(new SimulatedFlow(world, target, tuner, log));
                watch(tuner, log);
            }
            planPhase(phases.getFirst().nanos());
            world.at(0, this::arrive);
        }

        Scenario.Phase phase() {
            return phases.get(phase);
        }

        List<Log> logs() {
            world.runUntil(end);
            return logs;
        }

        private void planPhase(long endOfPhase) {
            if (phase + 1 < phases.size()) {
                world.at(endOfPhase, () -> {
                    phase++;
                    phaseStart = endOfPhase;
                    target.behave(phase().behaviour());
                    planPhase(endOfPhase + phase().nanos());
                    for (int i = 0; i < phase().atOnce(); i++) {
                        offer(random.nextDouble());
                    }
                });
            }
        }

        private void offer(double own) {
            SimulatedFlow flow = flows.size() == 1 ? flows.getFirst() : flows.get(random.nextInt(flows.size()));
            flow.offer(new Attempt(world.now(), deadline, own, flow));
        }

        private void watch(Tuner tuner, Log log) {
            log.permits(world.now(), tuner.permits());
            world.in(Log.SLICE, () -> watch(tuner, log));
        }

        /** Arrivals at random (Poisson); in bursts, the same number within the first part of each second. */
        private void arrive() {
            Scenario.Phase now = phase();
            double own = random.nextDouble();
            double gap = -Math.log(1 - random.nextDouble()) / now.rate() * World.SECOND;
            offer(own);
            long next = world.now() + Math.max(1, Math.round(gap * now.on()));
            long intoSecond = Math.floorMod(next - phaseStart, World.SECOND);
            if (intoSecond > now.on() * World.SECOND) {
                next += World.SECOND - intoSecond;
            }
            world.at(next, this::arrive);
        }
    }
}
