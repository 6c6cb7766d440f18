package dev.penstock.races.survive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Load and faults of one experiment, as a seed draws them: the same seed draws the same. Times count in transactions, not in
 * seconds.
 *
 * @param subject what is broken
 * @param seed where chance begins
 * @param transactions how many transactions callers begin
 * @param size bytes of the body of each request and each answer
 * @param breaker whether the flow has a breaker
 * @param steps the faults, one after another
 */
record FaultPlan(Subject subject, long seed, int transactions, int size, boolean breaker, List<Step> steps) {
    /** How many call at the same time. */
    static final int CALLERS = 4;

    /** Of each transaction. */
    static final Duration DEADLINE = Duration.ofSeconds(1);

    private static final int MOST_STEPS = 3;
    private static final int LONGEST_STEP = 6;

    /**
     * A fault from its beginning to its end.
     *
     * @param fault what goes wrong
     * @param from before which transaction it begins; counts from 0
     * @param until before which transaction it ends
     * @param draw chance for what the fault leaves open: which byte, which hook; 0 or more
     */
    record Step(Fault fault, int from, int until, int draw) {
        @Override
        public String toString() {
            return "%s from transaction %d until %d (draw %d)".formatted(fault.words(), from, until, draw);
        }
    }

    /** Copies the steps. */
    FaultPlan {
        steps = List.copyOf(steps);
    }

    /** The schedule of a seed. Seeds that follow each other begin with each of the subject's faults in turn. */
    static FaultPlan of(Subject subject, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Fault> faults = List.copyOf(subject.faults());
        int size = random.nextInt(4) == 0 ? random.nextInt(20_000) : random.nextInt(400);
        boolean breaker = random.nextBoolean();
        int count = 1 + random.nextInt(MOST_STEPS);
        List<Step> steps = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < count; i++) {
            Fault fault = faults.get(i == 0 ? Math.floorMod(seed, faults.size()) : random.nextInt(faults.size()));
            int from = at + random.nextInt(2 * CALLERS);
            at = from + 1 + random.nextInt(LONGEST_STEP);
            steps.add(new Step(fault, from, at, random.nextInt(1 << 20)));
        }
        return new FaultPlan(subject, seed, at + CALLERS + random.nextInt(2 * CALLERS), size, breaker, steps);
    }

    /** The same without one of its faults. */
    FaultPlan without(Step step) {
        return with(steps.stream().filter(other -> !other.equals(step)).toList());
    }

    private FaultPlan with(List<Step> others) {
        return new FaultPlan(subject, seed, transactions, size, breaker, others);
    }

    /** Whether it has a fault. */
    boolean has(Fault fault) {
        return steps.stream().anyMatch(step -> step.fault() == fault);
    }

    /** The same with some of its faults only; they count from 1. */
    FaultPlan only(Set<Integer> numbers) {
        return with(IntStream.rangeClosed(1, steps.size())
                .filter(numbers::contains)
                .mapToObj(number -> steps.get(number - 1))
                .toList());
    }

    /** The command that runs it again. */
    String command() {
        List<Step> drawn = of(subject, seed).steps();
        String line = "./penstock race survive --subject %s --seed %d --schedules 1".formatted(subject.words(), seed);
        return drawn.equals(steps)
                ? line
                : line + " --steps "
                        + IntStream.rangeClosed(1, drawn.size())
                                .filter(number -> steps.contains(drawn.get(number - 1)))
                                .mapToObj(String::valueOf)
                                .collect(Collectors.joining(","));
    }

    @Override
    public String toString() {
        return "%s, seed %d: %d transactions of %d callers, bodies of %d bytes, %s; %s"
                .formatted(
                        subject.words(),
                        seed,
                        transactions,
                        CALLERS,
                        size,
                        breaker ? "with a breaker" : "without a breaker",
                        steps.stream().map(Step::toString).collect(Collectors.joining(", then ")));
    }
}
