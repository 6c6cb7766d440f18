package dev.penstock.races.hop;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.machine.Cores;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The maximum throughput of each hop in an open model, found by raising the rate until some requests are not answered.
 * Measured once per race. It is lower than what wrk achieves, see {@link HalfCourse}. Thread-safe; one thread measures
 * at a time.
 */
final class MaxRate {
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
