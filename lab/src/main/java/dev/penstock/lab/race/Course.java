package dev.penstock.lab.race;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.Tradeoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One workload with its faults and contestants. The runner's JVM opens the {@link Scene} (a simulated dependency, a
 * database). {@link #run} is called in the contestant's own JVM if its {@link Entry} asks for one; the race is looked
 * up again there, so fields cannot pass data.
 *
 * <p>A block: open the scene; prepare the contestant; call {@link Scene#begin()} and start the load at the same moment;
 * collect the scene's metrics; close everything. No state is kept for the next block.
 */
public interface Course {
    /** Unique in its race, for instance {@code closings}. */
    String name();

    /** Load and faults in one readable line. */
    String workload(Effort effort);

    /** The contestants. */
    List<Entry> entries();

    /** The keys of the metrics that get verdicts, the main one first. */
    List<String> judged();

    /** The keys of the metrics in the table, in order. */
    List<String> shown();

    /**
     * The approximate duration of one block, including its scene: for the remaining time in progress lines. With {@link #stagger()},
     * the duration of a round.
     */
    Duration blockTime(Effort effort);

    /**
     * The time from the start of one contestant's load to the next one's when those of a round run side by side, each in its own
     * JVM with its own scene; zero (the default) when they run one after the other. It suits loads that leave the machine idle
     * nearly all the time, if it keeps their busy moments apart. Contestants are prepared one after the other, before the first
     * load starts.
     */
    default Duration stagger() {
        return Duration.ZERO;
    }

    /** JVM options for all contestants, in addition to the common ones. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** The default number of rounds; a verdict needs at least 6. */
    default int rounds() {
        return 6;
    }

    /** Whether one of our contestants runs twice (A/A), to measure the machine's noise. */
    default boolean measuresNoise() {
        return true;
    }

    /** Whether one contestant runs an uncounted block before the first round, so that the scene's code is compiled. */
    default boolean rehearses() {
        return true;
    }

    /**
     * Sets up the environment of one block, in the runner's JVM.
     *
     * @throws Exception when that fails; the block fails
     */
    Scene open(Block block) throws Exception;

    /**
     * Runs one block of one contestant.
     *
     * @param block the block
     * @param cue the scene's parameters, and the start signal
     * @return the result
     * @throws Exception without a result; the block fails
     */
    BlockResult run(Block block, Cue cue) throws Exception;

    /**
     * Metrics derived from several contestants of the same round, for instance the slowdown against the limit. They are
     * added to the contestant's own.
     *
     * @param round metrics by contestant, including A/A twins; failed blocks are absent
     * @return additional metrics by contestant; none by default
     */
    default Map<String, Map<String, Double>> related(Map<String, Map<String, Double>> round) {
        return Map.of();
    }

    /**
     * The course's goals, and whether they were met; none by default.
     *
     * @param contestants with the metrics of all their blocks
     */
    default List<Goal> goals(List<Contestant> contestants) {
        return List.of();
    }

    /** Two metrics that trade off against each other, to plot; none by default. */
    default Optional<Tradeoff> tradeoff() {
        return Optional.empty();
    }
}
