package dev.penstock.races.survive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The load and the faults of one experiment, generated from a seed: the same seed always generates the same plan. Times
 * are transaction numbers, not seconds.
 *
 * @param subject the system to break
 * @param seed the seed of the random numbers
 * @param transactions the number of transactions to begin
 * @param size the body size of each request and each answer in bytes
 * @param breaker whether the flow has a breaker
 * @param steps the faults, one after another
 */
record FaultPlan(Subject subject, long seed, int transactions, int size, boolean breaker, List<Step> steps) {
    /** The number of concurrent callers. */
    static final int CALLERS = 4;

    /** The deadline of each transaction. */
    static final Duration DEADLINE = Duration.ofSeconds(1);

    private static final int MAX_STEPS = 3;
    private static final int MAX_STEP_LENGTH = 6;

    /**
     * One fault, with its begin and its end.
     *
     * @param fault the kind of fault
     * @param from the transaction before which it begins; counts from 0
     * @param until the transaction before which it ends
     * @param draw a random number for what the kind of fault leaves open, such as which byte or which hook; 0 or more
     */
    record Step(Fault fault, int from, int until, int draw) {
        @Override
        public String toString() {
            return "%s from transaction %d until %d (draw %d)".formatted(fault.title(), from, until, draw);
        }
    }

    /** Copies the steps. */
    FaultPlan {
        steps = List.copyOf(steps);
    }

    /**
     * Generates the schedule for a seed. With consecutive seeds, the first fault cycles through the subject's faults.
     */
    static FaultPlan of(Subject subject, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Fault> faults = List.copyOf(subject.faults());
        int size = random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(400);
        boolean breaker = random.nextBoolean();
        int count = 1 + random.nextInt(MAX_STEPS);
        List<Step> steps = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < count; i++) {
            Fault fault = faults.get(i == 0 ? Math.floorMod(seed, faults.size()) : random.nextInt(faults.size()));
            int from = at + random.nextInt(2 * CALLERS);
            at = from + 1 + random.nextInt(MAX_STEP_LENGTH);
            steps.add(new Step(fault, from, at, random.nextInt(1 << 20)));
        }
        return new FaultPlan(subject, seed, at + CALLERS + random.nextInt(2 * CALLERS), size, breaker, steps);
    }

    /** The same schedule without one of its faults. */
    FaultPlan without(Step step) {
        return with(steps.stream().filter(other -> !other.equals(step)).toList());
    }

    private FaultPlan with(List<Step> others) {
        return new FaultPlan(subject, seed, transactions, size, breaker, others);
    }

    /** Whether the schedule contains a fault. */
    boolean has(Fault fault) {
        return steps.stream().anyMatch(step -> step.fault() == fault);
    }

    /** The same schedule with only some of its faults, which count from 1. */
    FaultPlan only(Set<Integer> numbers) {
        return with(IntStream.rangeClosed(1, steps.size())
                .filter(numbers::contains)
                .mapToObj(number -> steps.get(number - 1))
                .toList());
    }

    /** The command that runs this schedule again. */
    String command() {
        List<Step> drawn = of(subject, seed).steps();
        String line =
                "mvn test -Pfull -pl races -am -Dtest=SurviveRealClockTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dsurvive.schedules=1 -Dsurvive.subject=%s -Dsurvive.seed=%d"
                                .formatted(subject.title(), seed);
        return drawn.equals(steps)
                ? line
                : line + " -Dsurvive.steps="
                        + IntStream.rangeClosed(1, drawn.size())
                                .filter(number -> steps.contains(drawn.get(number - 1)))
                                .mapToObj(String::valueOf)
                                .collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return "%s, seed %d: %d transactions of %d callers, bodies of %d bytes, %s; %s"
                .formatted(
                        subject.title(),
                        seed,
                        transactions,
                        CALLERS,
                        size,
                        breaker ? "with a breaker" : "without a breaker",
                        steps.stream().map(Step::toString).collect(Collectors.joining(", then ")));
    }
}
