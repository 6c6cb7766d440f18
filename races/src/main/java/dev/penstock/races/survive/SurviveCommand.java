package dev.penstock.races.survive;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.penstock.lab.race.RaceProgram;
import dev.penstock.lab.report.ResultFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code penstock race survive}: runs schedules of faults and prints a table of the results. */
@Command(
        name = "survive",
        description = {
            "Injects faults between a flow and a real peer, and compares the endings of calls with what the peer received.",
            "",
            "Each seed generates one schedule of load and faults. A schedule fails if an answered transaction was not received, "
                    + "a transaction was received twice, a rejected or failed one was received, a call hangs, the accounting does not "
                    + "balance, a resource leaks, or nothing is answered after the last fault. Failing schedules are minimized."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SurviveCommand implements RaceProgram {
    private static final int DONE = 0;
    private static final int FAILED = 1;

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "Run only this subject: ${COMPLETION-CANDIDATES}. Repeatable.")
    private List<Subject> subjects = List.of();

    @Option(
            names = "--schedules",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Number of schedules per subject. Default: ${DEFAULT-VALUE}.")
    private int schedules;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Seed of the first schedule; each further schedule uses the next seed. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--steps",
            paramLabel = "N",
            split = ",",
            description = "Run only these faults of each schedule, numbered from 1.")
    private Set<Integer> steps = Set.of();

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of schedules to run concurrently; they mostly wait. Default: ${DEFAULT-VALUE}.")
    private int parallel;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the table as Markdown.")
    private @Nullable Path markdown;

    @Spec
    private @Nullable CommandSpec spec;

    /** Creates the command with unset options; picocli sets them. */
    public SurviveCommand() {}

    @Override
    public String name() {
        return "survive";
    }

    @Override
    public Integer call() throws Exception {
        CommandSpec command = Objects.requireNonNull(spec, "picocli sets it");
        if (schedules < 1 || parallel < 1) {
            throw new ParameterException(command.commandLine(), "--schedules and --parallel must be at least 1");
        }
        PrintWriter out = command.commandLine().getOut();
        silence();
        FaultTable table = new FaultTable();
        int failed = 0;
        for (Subject subject : subjects.isEmpty() ? List.of(Subject.values()) : subjects) {
            Optional<String> whyNot = subject.whyNot();
            if (whyNot.isPresent()) {
                out.printf("%s SKIPPED: %s%n", subject.title(), whyNot.get());
            } else {
                failed += runAll(subject, table, out);
            }
        }
        out.print(table.text());
        out.printf(Locale.ROOT, "%d schedules failed.%n", failed);
        out.flush();
        if (markdown != null) {
            ResultFile.writeText(markdown, table.markdown());
        }
        return failed == 0 ? DONE : FAILED;
    }

    /** Suppresses warnings: flows and targets log every injected fault. */
    private static void silence() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logs) {
            logs.getLogger("penstock").setLevel(Level.ERROR);
            logs.getLogger("dev.penstock").setLevel(Level.ERROR);
        }
    }

    private int runAll(Subject subject, FaultTable table, PrintWriter out) throws Exception {
        List<Callable<Experiment.Result>> runs = new ArrayList<>();
        for (int i = 0; i < schedules; i++) {
            FaultPlan drawn = FaultPlan.of(subject, seed + i);
            FaultPlan schedule = steps.isEmpty() ? drawn : drawn.only(steps);
            runs.add(() -> Experiment.run(schedule));
        }
        Experiment.warmUp(subject);
        List<Experiment.Result> failed = new ArrayList<>();
        try (ExecutorService runners = Executors.newFixedThreadPool(parallel)) {
            for (Future<Experiment.Result> run : runners.invokeAll(runs)) {
                Experiment.Result result = get(run);
                table.add(result);
                if (result.failed()) {
                    failed.add(result);
                }
            }
        }
        for (Experiment.Result result : failed) {
            print("FAILED ", result, out);
            print("  minimized to ", Shrinker.shrink(result, Experiment::run), out);
        }
        return failed.size();
    }

    private static Experiment.Result get(Future<Experiment.Result> run) throws Exception {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot run a schedule: " + e.getCause(), e.getCause());
        }
    }

    private static void print(String what, Experiment.Result result, PrintWriter out) {
        out.println(what + result.schedule());
        result.violations().forEach(violation -> out.println("    " + violation));
        out.println("    repeat with: " + result.schedule().command());
        out.flush();
    }
}
