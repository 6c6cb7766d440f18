package dev.penstock.races.survive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Nothing is lost, doubled, denied or hung when the path to a real peer breaks. A failing schedule is reported without
 * the faults that it does not need, with the command that runs it again; the table of faults of a subject is written to
 * {@code target/survive-SUBJECT.txt}. CONTRIBUTING.md has the command for more schedules.
 */
@Tag("full-only")
class SurviveRealClockTest {
    private static final int PARALLEL = 5;
    private static final int BRIEF = 20;
    private static final int SCHEDULES = Integer.getInteger("survive.schedules", BRIEF);
    private static final long FIRST_SEED = Long.getLong("survive.seed", 1);
    private static final String SUBJECT = System.getProperty("survive.subject", "");
    /** Only these faults of each schedule, numbered from 1; all when empty. */
    private static final Set<Integer> STEPS = Stream.of(
                    System.getProperty("survive.steps", "").split(",", -1))
            .filter(Predicate.not(String::isBlank))
            .map(Integer::valueOf)
            .collect(Collectors.toSet());

    @ParameterizedTest
    @EnumSource
    void schedulesPassForEverySubject(Subject subject) throws Exception {
        assumeTrue(SUBJECT.isEmpty() || SUBJECT.equals(subject.title()), "another subject was chosen");
        assumeTrue(subject.whyNot().isEmpty(), () -> subject + ": " + subject.whyNot());
        List<Callable<Experiment.Result>> runs = Stream.iterate(FIRST_SEED, seed -> seed + 1)
                .map(seed -> FaultPlan.of(subject, seed))
                .filter(SurviveRealClockTest::isChosen)
                .limit(SCHEDULES)
                .map(schedule -> STEPS.isEmpty() ? schedule : schedule.only(STEPS))
                .<Callable<Experiment.Result>>map(schedule -> () -> Experiment.run(schedule))
                .toList();
        Experiment.warmUp(subject);
        FaultTable table = new FaultTable();
        List<Experiment.Result> failed = new ArrayList<>();
        try (ExecutorService runners = Executors.newFixedThreadPool(PARALLEL)) {
            for (Future<Experiment.Result> run : runners.invokeAll(runs)) {
                Experiment.Result result = run.get();
                table.add(result);
                if (result.failed()) {
                    failed.add(result);
                }
            }
        }
        Files.writeString(Path.of("target", "survive-" + subject.title() + ".txt"), table.text());
        List<String> reports = new ArrayList<>();
        for (Experiment.Result result : failed) {
            reports.add(describe("", result));
            reports.add(describe("without the faults it does not need: ", Shrinker.shrink(result, Experiment::run)));
        }
        assertThat(reports).isEmpty();
    }

    /** The default run leaves out faults during which a JMS client waits 30 s for a handshake. */
    private static boolean isChosen(FaultPlan schedule) {
        return SCHEDULES != BRIEF || schedule.subject() != Subject.JMS || !schedule.has(Fault.BLACKHOLE);
    }

    private static String describe(String what, Experiment.Result result) {
        return what + result.schedule() + "\n"
                + result.violations().stream()
                        .map(violation -> "    " + violation + "\n")
                        .collect(Collectors.joining())
                + "    repeat with: " + result.schedule().command() + "\n";
    }
}
