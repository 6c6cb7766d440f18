package dev.penstock.lab.race;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.StealClock;
import dev.penstock.lab.race.SideBySideRound.StartGate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a race: course by course and round by round; in each round every contestant once, in random order, one after the
 * other or side by side ({@link Course#stagger()}).
 *
 * <pre>{@code
 * RaceResult result = RaceRunner.of(race).effort(Effort.QUICK).run();
 * }</pre>
 *
 * <p>Before the first round of a course one contestant runs an uncounted block (the rehearsal), so that the scene's
 * code is compiled when counted blocks start. Not thread-safe.
 */
public final class RaceRunner {
    /** The maximum number of rounds. */
    public static final int MAX_ROUNDS = 1_000;

    private final Race race;
    private Effort effort = Effort.FULL;
    private int rounds;
    private long seed = 1;
    private Predicate<String> courses = name -> true;
    private Predicate<String> contestants = name -> true;
    private Consumer<? super RaceProgress> listener = progress -> {};
    private Ticker ticker = Ticker.SYSTEM;
    private Supplier<StealClock> steal = StealClock::now;
    /** Collects the scene's garbage of the previous block, so that the next one does not pay for it. */
    private Runnable tidy = System::gc;

    private RaceRunner(Race race) {
        this.race = race;
    }

    /** A runner of all courses and contestants of a race. */
    public static RaceRunner of(Race race) {
        return new RaceRunner(race);
    }

    /** How much to measure; default {@link Effort#FULL}. With {@link Effort#QUICK} each contestant runs once. */
    public RaceRunner effort(Effort value) {
        effort = Objects.requireNonNull(value, "effort");
        return this;
    }

    /**
     * The number of rounds; default as each course defines.
     *
     * @param value 1 to {@link #MAX_ROUNDS}; below 6 there are no verdicts
     */
    public RaceRunner rounds(int value) {
        if (value < 1 || value > MAX_ROUNDS) {
            throw new IllegalArgumentException("a race has 1 to " + MAX_ROUNDS + " rounds, not " + value);
        }
        rounds = value;
        return this;
    }

    /** The seed of random choices: the order of the contestants and the requests. Default 1. */
    public RaceRunner seed(long value) {
        seed = value;
        return this;
    }

    /** Selects courses by name; default all. */
    public RaceRunner courses(Predicate<String> wanted) {
        courses = wanted;
        return this;
    }

    /** Selects contestants by name; default all. */
    public RaceRunner contestants(Predicate<String> wanted) {
        contestants = wanted;
        return this;
    }

    /** Sets a listener for progress; called on several threads, one at a time; default none. */
    public RaceRunner listen(Consumer<? super RaceProgress> who) {
        listener = who;
        return this;
    }

    RaceRunner ticker(Ticker value) {
        ticker = value;
        return this;
    }

    RaceRunner steal(Supplier<StealClock> value) {
        steal = value;
        return this;
    }

    RaceRunner tidy(Runnable value) {
        tidy = value;
        return this;
    }

    /**
     * Runs the race. An interrupt of the thread stops it early, with the results of the completed blocks.
     *
     * @return the result
     * @throws IllegalArgumentException when nothing is selected
     */
    public RaceResult run() {
        Run run = new Run();
        if (run.parts.isEmpty()) {
            throw new IllegalArgumentException("no course or contestant of the race " + race.name()
                    + " is selected: use the names that --list prints");
        }
        try {
            for (Part part : run.parts) {
                run.course(part);
            }
            return run.result(null);
        } catch (InterruptedException e) {
            return run.result("stopped after " + run.schedule.done() + " of " + run.schedule.blocks() + " blocks");
        }
    }

    private int roundsOf(Course course) {
        return effort == Effort.QUICK ? 1 : rounds == 0 ? course.rounds() : rounds;
    }

    /** One course in a run. */
    private record Part(int index, Course course, int rounds, Lineup lineup, CourseResults tally) {}

    /** One run of the race. */
    private final class Run {
        final List<Part> parts = new ArrayList<>();
        final RaceSchedule schedule = new RaceSchedule();

        Run() {
            for (Course course : race.courses()) {
                int times = roundsOf(course);
                Lineup lineup =
                        new Lineup(course, contestants, effort == Effort.FULL && times > 1 && course.measuresNoise());
                if (courses.test(course.name()) && !lineup.places().isEmpty()) {
                    CourseResults tally = new CourseResults(course, effort, times, lineup);
                    parts.add(new Part(parts.size(), course, times, lineup, tally));
                    int rehearsals = course.rehearses() ? 1 : 0;
                    int places = lineup.places().size();
                    Duration each =
                            course.blockTime(effort).dividedBy(course.stagger().isZero() ? 1 : places);
                    schedule.add(times * places + rehearsals, each);
                }
            }
        }

        void course(Part part) throws InterruptedException {
            if (part.course.rehearses()) {
                oneByOne(part, part.lineup.places().subList(0, 1), 0);
            }
            for (int round = 1; round <= part.rounds; round++) {
                List<Lineup.Place> order = part.lineup.shuffled(seed, round);
                if (part.course.stagger().isZero()) {
                    oneByOne(part, order, round);
                } else {
                    sideBySide(part, order, round);
                }
            }
        }

        private void oneByOne(Part part, List<Lineup.Place> order, int round) throws InterruptedException {
            for (Lineup.Place place : order) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("the race was stopped");
                }
                long start = ticker.nanos();
                block(part, place, round, () -> {});
                done(part, start, 1);
            }
        }

        private void sideBySide(Part part, List<Lineup.Place> order, int round) throws InterruptedException {
            long start = ticker.nanos();
            new SideBySideRound(part.course.stagger(), ticker)
                    .run(
                            order,
                            (place, gate) -> {
                                block(part, place, round, gate);
                                done(part, start, order.size());
                            },
                            () -> report(part, order.size() + " side by side", round, ""));
        }

        private void block(Part part, Lineup.Place place, int round, StartGate gate) throws InterruptedException {
            report(part, place.name(), round, "");
            tidy.run();
            try {
                BlockResult result = runBlock(part, place, round, gate);
                record(round, () -> part.tally.add(place.name(), round, result));
            } catch (BlockRunner.BlockFailed e) {
                record(round, () -> part.tally.failed(place.name(), round, String.valueOf(e.getMessage())));
            }
        }

        private synchronized void record(int round, Runnable result) {
            if (round > 0) {
                result.run();
            }
        }

        private synchronized void done(Part part, long start, int sharing) {
            schedule.done(part.index, Duration.ofNanos(ticker.nanos() - start).dividedBy(sharing));
        }

        @SuppressWarnings("IllegalCatch") // a scene that fails to open fails its block, not the race
        private BlockResult runBlock(Part part, Lineup.Place place, int round, StartGate gate)
                throws InterruptedException, BlockRunner.BlockFailed {
            Effort much = round == 0 ? Effort.QUICK : effort;
            Block block = new Block(place.entry().name(), much, round, seed * 1_000_003L + round);
            StealClock before = steal.get();
            try (Scene scene = part.course.open(block)) {
                BlockResult result = runner(part.course, place.entry(), much)
                        .run(block, gate.before(scene), line -> report(part, place.name(), round, line));
                return result.in(scene, steal.get().percentSince(before));
            } catch (InterruptedException | BlockRunner.BlockFailed e) {
                throw e;
            } catch (IOException e) {
                throw new BlockRunner.BlockFailed("its scene failed to close: " + e.getMessage(), e);
            } catch (Exception e) {
                throw BlockRunner.BlockFailed.by(e);
            }
        }

        private synchronized void report(Part part, String who, int round, String load) {
            listener.accept(new RaceProgress(
                    race.name(),
                    part.course.name(),
                    who,
                    round,
                    part.rounds,
                    schedule.done(),
                    schedule.blocks(),
                    schedule.left(),
                    load));
        }

        RaceResult result(@Nullable String whyStopped) {
            return RaceResult.of(race, seed, parts.stream().map(Part::tally).toList(), whyStopped);
        }
    }

    private BlockRunner runner(Course course, Entry entry, Effort much) {
        if (!entry.ownJvm()) {
            return new InProcessRunner(course);
        }
        Duration patience = course.blockTime(much).multipliedBy(3).plusSeconds(30);
        List<String> options = new ArrayList<>(course.jvmOptions());
        options.addAll(entry.jvmOptions());
        return new OwnJvmRunner(race.name(), course, options, patience);
    }
}
