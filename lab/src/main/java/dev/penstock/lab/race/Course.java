package dev.penstock.lab.race;

import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import dev.penstock.lab.report.Tradeoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One workload with its faults, and who runs it. The runner's JVM opens the {@link Scene} (a simulated dependency, a
 * database); {@link #run} is called in the contestant's own JVM where its {@link Entry} asks for one, and there the race is
 * looked up anew, so nothing may be handed over in fields.
 *
 * <p>A block: the scene opens; the contestant gets ready; {@link Scene#begin()} and the load start at the same moment; the
 * scene's own figures are taken; everything closes. Nothing is carried over to the next block.
 */
public interface Course {
    /** Unique in its race, for instance {@code closings}. */
    String name();

    /** Load and faults in one line for people. */
    String workload(Effort effort);

    /** Who runs it. */
    List<Entry> entries();

    /** The keys of the metrics that verdicts are about, the main one first. */
    List<String> judged();

    /** The keys of the metrics that the table shows, in order. */
    List<String> shown();

    /** How long one block takes from the opening of its scene to its end, about: for telling the time left. */
    Duration blockTime(Effort effort);

    /** For the JVMs of all contestants, beside what every course gives them. */
    default List<String> jvmOptions() {
        return List.of();
    }

    /** How often each contestant runs unless the user says; at least 6 for a verdict. */
    default int rounds() {
        return 6;
    }

    /** Whether one of ours is run twice under another name, so that the noise of the machine is known. */
    default boolean measuresNoise() {
        return true;
    }

    /** Whether one contestant runs once for nothing before the first round, so that the scene's code is compiled by then. */
    default boolean rehearses() {
        return true;
    }

    /**
     * Sets up what surrounds the contestant for one block, in the runner's JVM.
     *
     * @throws Exception when it cannot be set up; the block has failed then
     */
    Scene open(Block block) throws Exception;

    /**
     * Runs one block of one contestant.
     *
     * @param block which
     * @param cue what the scene said, and the starting gun
     * @return its figures
     * @throws Exception when it gave no figures; the block has failed then
     */
    BlockResult run(Block block, Cue cue) throws Exception;

    /**
     * Figures of a contestant that follow from those of others in the same round, for instance by how much it was slower than
     * the limit. They join its own.
     *
     * @param round by contestant, twins included, its figures; those whose block failed are not there
     * @return by contestant, more of its figures; none by default
     */
    default Map<String, Map<String, Double>> related(Map<String, Map<String, Double>> round) {
        return Map.of();
    }

    /**
     * What was to be shown, and whether it was; nothing by default.
     *
     * @param contestants with the figures of all their blocks
     */
    default List<Goal> goals(List<Contestant> contestants) {
        return List.of();
    }

    /** Two of its figures that are had for each other, drawn against each other; none by default. */
    default Optional<Tradeoff> tradeoff() {
        return Optional.empty();
    }
}
