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

/** {@code penstock race survive}: schedules of faults, and a table of what came of them. */
@Command(
        name = "survive",
        description = {
            "Breaks the path to a real peer in every way, and counts what callers were told and what the peer received.",
            "",
            "Each seed is one schedule of load and faults. It fails when an answered transaction was not received, one was "
                    + "received twice, one was denied and is there, a call hangs, the accounting does not balance, something "
                    + "leaks, or nothing is answered after the last fault. A failing schedule is made as short as possible."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class SurviveCommand implements RaceProgram {
    private static final int DONE = 0;
    private static final int FAILED = 1;

    @Option(
            names = "--subject",
            paramLabel = "NAME",
            description = "Only this one: ${COMPLETION-CANDIDATES}. Repeatable.")
    private List<Subject> subjects = List.of();

    @Option(
            names = "--schedules",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many for each subject. Default: ${DEFAULT-VALUE}.")
    private int schedules;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The seed of the first schedule; each next one has the next. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--steps",
            paramLabel = "N",
            split = ",",
            description = "Only these faults of each schedule; they count from 1.")
    private Set<Integer> steps = Set.of();

    @Option(
            names = "--parallel",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many run at the same time: most of their time they wait. Default: ${DEFAULT-VALUE}.")
    private int parallel;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the table as Markdown.")
    private @Nullable Path markdown;

    @Spec
    private @Nullable CommandSpec spec;

    /** Options not given yet; picocli fills them in. */
    public SurviveCommand() {}

    @Override
    public String name() {
        return "survive";
    }

    @Override
    public Integer call() throws Exception {
        CommandSpec command = Objects.requireNonNull(spec, "picocli sets it");
        if (schedules < 1 || parallel < 1) {
            throw new ParameterException(command.commandLine(), "--schedules and --parallel are 1 or more");
        }
        PrintWriter out = command.commandLine().getOut();
        silence();
        FaultTable table = new FaultTable();
        int failed = 0;
        for (Subject subject : subjects.isEmpty() ? List.of(Subject.values()) : subjects) {
            Optional<String> whyNot = subject.whyNot();
            if (whyNot.isPresent()) {
                out.printf("%s is left out: %s%n", subject.words(), whyNot.get());
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

    /** Flows and targets warn of every fault that a schedule has. */
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
        Experiment.rehearse(subject);
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
            print("  shrunk to ", Shrinker.shrink(result, Experiment::run), out);
        }
        return failed.size();
    }

    private static Experiment.Result get(Future<Experiment.Result> run) throws Exception {
        try {
            return run.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a schedule could not be run: " + e.getCause(), e.getCause());
        }
    }

    private static void print(String what, Experiment.Result result, PrintWriter out) {
        out.println(what + result.schedule());
        result.violations().forEach(violation -> out.println("    " + violation));
        out.println("    again: " + result.schedule().command());
        out.flush();
    }
}
