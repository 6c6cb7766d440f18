package dev.penstock.collapse;

import dev.penstock.collapse.SimulatedTarget.Service;
import dev.penstock.kit.World;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Callers and a target.
 *
 * @param name in the report
 * @param users how many callers there are, each of whom asks again once he is answered; 0 for open load
 * @param rate how many requests come each second at random; 0 for callers
 * @param service how long calls take
 * @param permits how many batches are sent at once; 0 for any number
 * @param thinkMillis how long a caller waits at most before he asks again
 * @param together whether all callers begin at the same time, and not at random within one call time
 * @param counted which part of it is counted
 */
record Scenario(
        String name,
        int users,
        double rate,
        Service service,
        int permits,
        double thinkMillis,
        boolean together,
        Counted counted) {
    /** Which part of a run is counted. */
    enum Counted {
        /** The first 10 s. */
        COLD,
        /** As long again as it has had to learn: 2 s, or 40 calls. */
        LEARNED,
        /** 10 s after that, or 40 calls. */
        LONG
    }

    private static final int MAX = 1_000;
    /** Long enough for all callers of a batch to return before the thread of the next batch looks. */
    private static final long START_NANOS = 500_000;

    private static final int CALLS_TO_LEARN = 40;
    private static final double LEARNING_NANOS = 2e9;
    private static final double LONG_NANOS = 10e9;

    static Scenario closed(int users, double callMillis, double spreadMillis) {
        return closed(
                "%d users, %s ms, spread %s ms".formatted(users, callMillis, spreadMillis),
                users,
                Service.ofMillis(callMillis, spreadMillis));
    }

    static Scenario closed(String name, int users, Service service) {
        return new Scenario(name, users, 0, service, 0, 0, false, Counted.LEARNED);
    }

    static Scenario open(double rate, double callMillis) {
        return open("%s a second, %s ms".formatted(rate, callMillis), rate, Service.ofMillis(callMillis, 0));
    }

    static Scenario open(String name, double rate, Service service) {
        return new Scenario(name, 0, rate, service, 0, 0, false, Counted.LEARNED);
    }

    Scenario thinking(double millis) {
        return new Scenario(
                name + ", asks again within " + millis + " ms",
                users,
                rate,
                service,
                permits,
                millis,
                together,
                counted);
    }

    Scenario withPermits(int most) {
        return new Scenario(
                name + ", " + most + " permits", users, rate, service, most, thinkMillis, together, counted);
    }

    Scenario beginningTogether() {
        return new Scenario(name + ", together", users, rate, service, permits, thinkMillis, true, counted);
    }

    Scenario counting(Counted part) {
        return new Scenario(name, users, rate, service, permits, thinkMillis, together, part);
    }

    /** How it goes at a budget of this share of the time of a call. */
    SimulatedCollapse.Outcome run(double budget, long seed) {
        return run(BatchPolicy.Controlled.of(budget, MAX), seed);
    }

    /** How it goes with a window of a fixed length; 0 for none. */
    SimulatedCollapse.Outcome fixed(double millis, long seed) {
        return run(BatchPolicy.Fixed.ofMillis(millis, MAX), seed);
    }

    /** How it goes with batches of a fixed size, which wait at most 1 ms for the last. */
    SimulatedCollapse.Outcome sized(int size, long seed) {
        return run(BatchPolicy.Fixed.ofMillis(1, size), seed);
    }

    private SimulatedCollapse.Outcome run(BatchPolicy policy, long seed) {
        RandomGenerator random = new Random(seed);
        World world = new World();
        double call = service.baseMillis() + (together ? users * service.itemMillis() : 0);
        double learning = Math.max(LEARNING_NANOS, CALLS_TO_LEARN * call * 1e6);
        long from = counted == Counted.COLD ? 0 : (long) learning;
        long end = switch (counted) {
            case COLD -> (long) LONG_NANOS;
            case LEARNED -> from + (long) learning;
            case LONG -> from + (long) Math.max(LONG_NANOS, CALLS_TO_LEARN * service.baseMillis() * 1e6);
        };
        SimulatedCollapse collapse = new SimulatedCollapse(
                world,
                random,
                policy,
                new SimulatedTarget(world, random, service),
                permits,
                together ? START_NANOS : 0,
                from);
        if (users > 0) {
            for (int user = 0; user < users; user++) {
                double begin = together ? 0 : random.nextDouble();
                world.at((long) (begin * service.baseMillis() * 1e6), () -> ask(world, collapse, random));
            }
        } else {
            come(world, collapse, random);
        }
        world.runUntil(end);
        return collapse.outcome();
    }

    private void ask(World world, SimulatedCollapse collapse, RandomGenerator random) {
        collapse.ask(() -> {
            if (thinkMillis > 0) {
                world.in((long) (random.nextDouble() * thinkMillis * 1e6), () -> ask(world, collapse, random));
            } else {
                ask(world, collapse, random);
            }
        });
    }

    private void come(World world, SimulatedCollapse collapse, RandomGenerator random) {
        world.in((long) (-Math.log(1 - random.nextDouble()) / rate * 1e9), () -> {
            collapse.ask(() -> {});
            come(world, collapse, random);
        });
    }
}
