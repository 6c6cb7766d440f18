package dev.penstock.collapse;

import dev.penstock.kit.World;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Callers and a target.
 *
 * @param name in the report
 * @param users how many callers there are, each of whom asks again once he is answered; 0 for open load
 * @param rate how many requests come each second at random; 0 for callers
 * @param callMillis how long a call takes
 * @param spreadMillis from its shortest to its longest
 * @param thinkMillis how long a caller waits at most before he asks again
 * @param budget which part of the time of a call may be waited
 */
record Scenario(
        String name,
        int users,
        double rate,
        double callMillis,
        double spreadMillis,
        double thinkMillis,
        double budget) {
    private static final int MAX = 1_000;
    private static final int CALLS_TO_LEARN = 40;

    static Scenario closed(int users, double callMillis, double spreadMillis, double budget) {
        return new Scenario(
                "%d users, %s ms, spread %s ms".formatted(users, callMillis, spreadMillis),
                users,
                0,
                callMillis,
                spreadMillis,
                0,
                budget);
    }

    static Scenario open(double rate, double callMillis, double budget) {
        return new Scenario("%s a second, %s ms".formatted(rate, callMillis), 0, rate, callMillis, 0, 0, budget);
    }

    Scenario thinking(double millis) {
        return new Scenario(
                name + ", asks again within " + millis + " ms", users, rate, callMillis, spreadMillis, millis, budget);
    }

    /** Callers begin at random within one call time: who begin together would flatter whatever keeps them so. */
    Station.Outcome run(long seed) {
        RandomGenerator random = new Random(seed);
        World world = new World();
        long from = (long) Math.max(2e9, CALLS_TO_LEARN * callMillis * 1e6);
        long end = from + (long) Math.max(2e9, CALLS_TO_LEARN * callMillis * 1e6);
        Station station =
                new Station(world, random, budget, MAX, (long) (callMillis * 1e6), (long) (spreadMillis * 1e6), from);
        if (users > 0) {
            for (int user = 0; user < users; user++) {
                world.at((long) (random.nextDouble() * callMillis * 1e6), () -> ask(world, station, random));
            }
        } else {
            come(world, station, random);
        }
        world.runUntil(end);
        return station.outcome();
    }

    private void ask(World world, Station station, RandomGenerator random) {
        station.ask(() -> {
            if (thinkMillis > 0) {
                world.in((long) (random.nextDouble() * thinkMillis * 1e6), () -> ask(world, station, random));
            } else {
                ask(world, station, random);
            }
        });
    }

    private void come(World world, Station station, RandomGenerator random) {
        world.in((long) (-Math.log(1 - random.nextDouble()) / rate * 1e9), () -> {
            station.ask(() -> {});
            come(world, station, random);
        });
    }
}
