package dev.penstock.races.hop;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.machine.Cores;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * The most that a hop answers of requests at random times, measured once for a race, by offering more than that. It is less
 * than what wrk gets, see {@link HalfCourse}. Safe for many threads, one of which measures.
 */
final class MostAnswered {
    /** Who answers less than this of what is asked cannot do it. */
    static final double KEPT = 0.95;

    private static final double FIRST = 0.5;
    private static final double MORE = 1.2;
    private static final Duration LOOK = Duration.ofSeconds(4);
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private final Map<HopContestants, Double> known = new EnumMap<>(HopContestants.class);

    /** Requests a second. */
    synchronized double of(HopContestants contestant, Effort effort, Duration warmUp, long seed) throws Exception {
        Double most = known.get(contestant);
        if (most == null) {
            try (Relay relay = Relay.start(contestant, Cores.here())) {
                HopCourse.warmUp(relay, effort);
                double first = FIRST * relay.fullFor(LOOK).getOrDefault("tps", 0.0);
                try (Cores.Stay _ = Cores.here().keepProcess()) {
                    most = from(first, relay, warmUp, seed);
                }
            }
            known.put(contestant, most);
        }
        return most;
    }

    /** Offers more until not all is answered. */
    private static double from(double first, Relay relay, Duration firstWarmUp, long seed) throws Exception {
        double rate = first;
        Duration warmUp = firstWarmUp;
        while (true) {
            double answered = HopCallers.run(relay, rate, warmUp, LOOK, seed, EndListener.NOBODY)
                    .tps();
            if (answered < KEPT * rate) {
                return answered;
            }
            rate *= MORE;
            warmUp = AGAIN;
        }
    }
}
