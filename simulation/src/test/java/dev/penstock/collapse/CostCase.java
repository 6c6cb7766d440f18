package dev.penstock.collapse;

import dev.penstock.collapse.Scenario.Counted;
import dev.penstock.collapse.SimulatedTarget.Service;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Loads and targets where larger batches cost the callers something, or save them much. Service times are exponential. */
enum CostCase {
    /** As fast as one can: each call of so many items takes much longer, and the target serves any number of calls. */
    CLOSED_50(2, closed(50, service(20, 2, 0))),
    CLOSED_200(2, closed(200, service(20, 2, 0))),
    /** Beyond what the target can do one by one. */
    OPEN_500_SLOTS(8, open(500, service(20, 2, 4))),
    /** Larger batches cost nothing, and save nothing but calls. */
    CLOSED_100_NO_ITEM_TIME(10, closed(100, service(500, 0, 0))),
    /** Beyond what the target can do one by one, and batches cost nothing. */
    OPEN_500_SLOTS_NO_ITEM_TIME(8, open(500, service(20, 0, 4))),
    /** So few that nobody should wait. */
    OPEN_20_SLOTS(8, open(20, service(20, 2, 4))),
    CLOSED_50_SLOTS(4, closed(50, service(20, 2, 4))),
    /** As many permits as the target has slots above. */
    CLOSED_50_PERMITS(4, closed(50, service(20, 2, 0)).withPermits(4));

    private static final double[] WINDOWS = {0, 0.5, 1, 2, 5, 10, 20, 50};
    private static final int REPORTED_SEEDS = 3;
    private static final double BUDGET = 0.1;

    private static final String HEAD = """

            ## Where items or slots cost time

            Mean times of callers in ms, of seeds 1 to 3, once it has learned for 2 s (or 40 calls), over 10 s (or 40 calls). A call
            takes an exponentially distributed time with the mean named. The best window is that fixed one of 0.5 to 50 ms whose mean
            is the shortest. Last, our mean of the first 10 s.

            | scenario | no collapsing | best window | ours | p99 | calls/s | cold |
            |---|---|---|---|---|---|---|
            """;

    private final int briefSeeds;
    private final Scenario scenario;

    CostCase(int briefSeeds, Scenario scenario) {
        this.briefSeeds = briefSeeds;
        this.scenario = scenario.counting(Counted.LONG);
    }

    private static Service service(double baseMillis, double itemMillis, int slots) {
        return new Service(baseMillis, itemMillis, 0, true, slots);
    }

    private static Scenario closed(int users, Service service) {
        return Scenario.closed(users + " users, " + service.words(), users, service);
    }

    private static Scenario open(int rate, Service service) {
        return Scenario.open(rate + " a second, " + service.words(), rate, service);
    }

    /** How many seeds are enough for a brief test. */
    int briefSeeds() {
        return briefSeeds;
    }

    /** The mean time of a caller in ms, over so many seeds. */
    double mean(int seeds) {
        return mean(seeds, seed -> scenario.run(BUDGET, seed).mean());
    }

    /** That of no collapsing, or of the best fixed window if it is shorter. */
    double bestMean(int seeds) {
        return Math.min(fixed(0, seeds), bestWindow(seeds));
    }

    private double bestWindow(int seeds) {
        return Arrays.stream(WINDOWS)
                .filter(window -> window > 0)
                .map(window -> fixed(window, seeds))
                .min()
                .orElseThrow();
    }

    /** That of a fixed window; 0 for none. */
    double fixed(double millis, int seeds) {
        return mean(seeds, seed -> scenario.fixed(millis, seed).mean());
    }

    private static double mean(int seeds, ToDoubleFunction<Integer> of) {
        return IntStream.rangeClosed(1, seeds).boxed().mapToDouble(of).average().orElseThrow();
    }

    static String report() {
        return HEAD + Arrays.stream(values()).map(CostCase::line).collect(Collectors.joining());
    }

    private String line() {
        Scenario cold = scenario.counting(Counted.COLD);
        return String.format(
                Locale.ROOT,
                "| %s | %.1f | %.1f | %.1f | %.1f | %.1f | %.1f |%n",
                scenario.name(),
                fixed(0, REPORTED_SEEDS),
                bestWindow(REPORTED_SEEDS),
                mean(REPORTED_SEEDS),
                mean(REPORTED_SEEDS, seed -> scenario.run(BUDGET, seed).p99()),
                mean(REPORTED_SEEDS, seed -> scenario.run(BUDGET, seed).callsPerSecond()),
                mean(REPORTED_SEEDS, seed -> cold.run(BUDGET, seed).mean()));
    }
}
