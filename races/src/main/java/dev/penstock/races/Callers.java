package dev.penstock.races;

import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.race.Cue;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongFunction;

/**
 * Callers and their timing. Immutable.
 *
 * @param describe in one readable line
 * @param rate requests per second of an open model, as a Poisson process; 0 of a closed model
 * @param create the load, from a seed
 */
public record Callers(String describe, int rate, LongFunction<Load<?>> create) {
    /** How often a load reports its progress. */
    public static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(1);

    /**
     * A spinning pacer would use more CPU than the system under test; this one is at most 0.1 ms late, for all
     * contestants alike.
     */
    private static final Duration WAKES_EVERY = Duration.ofNanos(100_000);

    /** An open model. */
    public static Callers open(int rate, String what) {
        return new Callers(
                String.format(Locale.ROOT, "%,d %s/s (open model, Poisson arrivals)", rate, what),
                rate,
                seed -> OpenLoad.at(Arrivals.poisson(rate, seed)).sparing(WAKES_EVERY));
    }

    /** Callers who wait for their answers, and start at random times within the given one. */
    public static Callers closed(int callers, Duration startWithin) {
        return new Callers(
                callers + " callers (closed model) without think time",
                0,
                seed -> ClosedLoad.of(callers, Duration.ZERO).beginningWithin(startWithin, seed));
    }

    /** The same with random think times up to the given one. */
    public static Callers thinking(int callers, Duration startWithin, Duration think) {
        return new Callers(
                callers + " callers (closed model) with think time up to " + Durations.format(think),
                0,
                seed -> ClosedLoad.of(callers, Duration.ZERO)
                        .thinking(Duration.ZERO, think, ~seed)
                        .beginningWithin(startWithin, seed));
    }

    /** Callers who all start at the same moment. */
    public static Callers together(int callers) {
        return new Callers(
                callers + " callers (closed model) without think time, all starting at once",
                0,
                seed -> ClosedLoad.of(callers, Duration.ZERO));
    }

    /** Whether callers are independent of answers. */
    public boolean isOpen() {
        return rate > 0;
    }

    /** The load of a block. What is not answered after the grace period is lost. */
    public Load<?> load(long seed, LoadTimes times, Duration grace, Cue cue) {
        return create.apply(seed)
                .lasting(times.lasting())
                .warmUp(times.warmUp())
                .grace(grace)
                .watch(PROGRESS_INTERVAL, cue::progress);
    }
}
