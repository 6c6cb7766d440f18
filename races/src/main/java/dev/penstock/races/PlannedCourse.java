package dev.penstock.races;

import dev.penstock.Service;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.race.Block;
import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Scene;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Goal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A course whose contestants, metrics, durations and goals are declared as data in its constructor. By default it has
 * no scene and runs no block beforehand.
 */
public abstract class PlannedCourse implements Course {
    private final String name;
    private final List<Entry> entries;
    private final List<String> judged;
    private final List<String> shown;
    private final List<Promise> promises = new ArrayList<>();
    private List<String> jvmOptions = List.of();
    private LoadTimes full = LoadTimes.ofMillis(0, 0);
    private LoadTimes quick = full;
    private Duration around = Duration.ZERO;
    private int rounds = 6;

    /** Goals of some contestants. */
    private record Promise(Function<GoalFigures, Stream<Contestant>> who, List<GoalRule> rules) {
        Stream<Goal> check(GoalFigures figures) {
            return who.apply(figures)
                    .flatMap(contestant -> rules.stream().flatMap(rule -> rule.check(figures, contestant)));
        }
    }

    /**
     * Declares a course.
     *
     * @param name unique in its race
     * @param entries the contestants
     * @param judged the keys of the metrics that get verdicts, separated by spaces
     * @param shown the keys of the metrics in the table, separated by spaces
     */
    protected PlannedCourse(String name, List<Entry> entries, String judged, String shown) {
        this.name = name;
        this.entries = entries;
        this.judged = List.of(judged.split(" ", -1));
        this.shown = List.of(shown.split(" ", -1));
    }

    /**
     * Sets the durations of a block.
     *
     * @param full in a whole race
     * @param quick in a quick race
     * @param around the time to start and end a block
     */
    public final PlannedCourse lasts(LoadTimes full, LoadTimes quick, Duration around) {
        this.full = full;
        this.quick = quick;
        this.around = around;
        return this;
    }

    /** Sets the default number of rounds. */
    public final PlannedCourse rounds(int number) {
        rounds = number;
        return this;
    }

    /** Sets JVM options for all contestants. */
    public final PlannedCourse jvmOptions(String... options) {
        jvmOptions = List.of(options);
        return this;
    }

    /** Adds goals of each of our contestants. */
    public final PlannedCourse goals(GoalRule... rules) {
        promises.add(new Promise(figures -> figures.ours(entries), List.of(rules)));
        return this;
    }

    /** Adds goals of one contestant. */
    public final PlannedCourse goalsOf(String contestant, GoalRule... rules) {
        promises.add(new Promise(figures -> figures.named(contestant).stream(), List.of(rules)));
        return this;
    }

    /** The durations of a block's load. */
    protected final LoadTimes times(Effort effort) {
        return effort == Effort.FULL ? full : quick;
    }

    /**
     * Compiles a contestant's code before the load.
     *
     * @param load of the rehearsal
     * @param contestant answers its requests
     * @throws IllegalStateException when nothing was answered correctly
     */
    protected static <Q, R> void rehearse(
            ClosedLoad load, Service<Q, R> contestant, LongFunction<? extends Q> requests, Predicate<? super R> right)
            throws InterruptedException {
        Counts counts = load.run(contestant, requests, right).counts();
        if (counts.right() == 0) {
            throw new IllegalStateException(
                    "none of " + counts.offered() + " requests was answered in the rehearsal: " + counts.causes());
        }
    }

    /** A parameter that the scene passes to the contestant. */
    protected static String required(Map<String, String> parameters, String name) {
        String value = parameters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the scene has no parameter " + name);
        }
        return value;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<Entry> entries() {
        return entries;
    }

    @Override
    public final List<String> judged() {
        return judged;
    }

    @Override
    public final List<String> shown() {
        return shown;
    }

    @Override
    public final List<String> jvmOptions() {
        return jvmOptions;
    }

    @Override
    public final int rounds() {
        return rounds;
    }

    @Override
    public boolean rehearses() {
        return false;
    }

    @Override
    public Duration blockTime(Effort effort) {
        return times(effort).lasting().plus(around);
    }

    @Override
    public Scene open(Block block) throws Exception {
        return Scene.EMPTY;
    }

    @Override
    public final List<Goal> goals(List<Contestant> contestants) {
        GoalFigures figures = new GoalFigures(contestants);
        return promises.stream().flatMap(promise -> promise.check(figures)).toList();
    }
}
