package dev.penstock.cli;

import dev.penstock.lab.race.Course;
import dev.penstock.lab.race.Effort;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.race.Race;
import dev.penstock.lab.race.RaceResult;
import dev.penstock.lab.race.RaceRunner;
import dev.penstock.lab.race.Races;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.RaceTable;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock race}: runs races and reports which contestant did better. */
@Command(
        name = "race",
        description = {
            "Runs races against real peers and reports which did better, with statistical confidence.",
            "",
            "Contestants run in blocks, each in a fresh JVM, in a new random order each round; ratios are computed per "
                    + "round. A race may take an hour: --quick shows figures in minutes. Do not run anything else meanwhile."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Each race writes NAME.json, NAME.md and NAME.html into the folder of --out.",
            "",
            "Examples:",
            "  penstock race --list",
            "  penstock race http-pool --quick",
            "  penstock race http-pool --course closings --contestant penstock --contestant jetty"
        })
final class RaceCommand implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", arity = "0..*", description = "The races to run. Default: all.")
    private List<String> names = List.of();

    @Option(names = "--list", description = "List races, courses and contestants without running them.")
    private boolean list;

    @Option(names = "--quick", description = "Run one short block each: figures without verdicts.")
    private boolean quick;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "The number of rounds; a verdict needs 6. Default: set by the race.")
    private @Nullable Integer rounds;

    @Option(names = "--course", paramLabel = "NAME", description = "Run only this course. Repeatable.")
    private List<String> courses = List.of();

    @Option(names = "--contestant", paramLabel = "NAME", description = "Run only this contestant. Repeatable.")
    private List<String> contestants = List.of();

    @Mixin
    private RaceFiles files = new RaceFiles();

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Spec
    private CommandSpec spec;

    RaceCommand() {}

    @Override
    public Integer call() throws Exception {
        List<Race> races = chosen();
        if (list) {
            races.forEach(this::describe);
            return CommandLineExit.DONE;
        }
        if (quick && rounds != null) {
            throw wrong("--quick runs one block each, so --rounds has no effect: remove one of them");
        }
        if (races.size() > 1 && measuring.namesFiles()) {
            throw wrong("several races would write to one file: name one race, or use --out");
        }
        measuring.check(spec.commandLine());
        files.check(spec.commandLine());
        boolean valid = true;
        for (Race race : races) {
            RaceRunner runner = runner(race);
            valid &= StopSignal.guard(spec.commandLine().getErr(), () -> run(race, runner)) == CommandLineExit.DONE;
        }
        return valid ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    private int run(Race race, RaceRunner runner) throws IOException {
        RaceResult result;
        try (LiveLine live = measuring.live()) {
            result = runner.listen(progress -> live.show(System.nanoTime(), progress.line()))
                    .run();
        }
        ResultFile file = result.file(Penstock.version(), commandLine(race));
        RaceTable table = new RaceTable(file);
        PrintWriter out = spec.commandLine().getOut();
        out.print(table.text());
        out.flush();
        measuring.write(() -> file, table.markdown());
        files.write(file, table.markdown()).forEach(written -> out.println("wrote " + written));
        out.flush();
        return file.valid() ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    private RaceRunner runner(Race race) {
        try {
            RaceRunner runner = RaceRunner.of(race)
                    .effort(quick ? Effort.QUICK : Effort.FULL)
                    .seed(measuring.seed())
                    .courses(only(courses))
                    .contestants(only(contestants));
            return rounds == null ? runner : runner.rounds(rounds);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private static Predicate<String> only(List<String> selected) {
        return selected.isEmpty() ? name -> true : selected::contains;
    }

    private List<Race> chosen() {
        List<Race> all = Races.all();
        if (all.isEmpty()) {
            throw wrong("no races found: they need the peers, which are not shipped; run ./penstock race in a "
                    + "source checkout");
        }
        List<Race> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(all.stream()
                    .filter(race -> race.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> wrong("unknown race " + name + "; known races: " + namesOf(all))));
        }
        List<Race> races = chosen.isEmpty() ? all : chosen;
        checkKnown(
                "course",
                courses,
                races.stream()
                        .flatMap(race -> race.courses().stream())
                        .map(Course::name)
                        .toList());
        checkKnown(
                "contestant",
                contestants,
                races.stream()
                        .flatMap(race -> race.courses().stream())
                        .flatMap(course -> course.entries().stream())
                        .map(Entry::name)
                        .toList());
        return races.stream().filter(this::hasSelectedEntry).toList();
    }

    private boolean hasSelectedEntry(Race race) {
        return race.courses().stream()
                .filter(course -> only(courses).test(course.name()))
                .flatMap(course -> course.entries().stream())
                .anyMatch(entry -> only(contestants).test(entry.name()));
    }

    private void checkKnown(String what, List<String> selected, List<String> existing) {
        for (String name : selected) {
            if (!existing.contains(name)) {
                throw wrong("unknown " + what + " " + name + "; known: "
                        + existing.stream().distinct().collect(Collectors.joining(", ")));
            }
        }
    }

    private static String namesOf(List<Race> races) {
        return races.stream().map(Race::name).collect(Collectors.joining(", "));
    }

    private void describe(Race race) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(race.name() + ": " + race.question());
        for (Course course : race.courses()) {
            Effort effort = quick ? Effort.QUICK : Effort.FULL;
            out.println("  " + course.name() + ": " + course.workload(effort));
            for (Entry entry : course.entries()) {
                String settings = entry.settings().entrySet().stream()
                        .map(setting -> setting.getKey() + " " + setting.getValue())
                        .collect(Collectors.joining(", "));
                out.printf(
                        "    %-20s %-7s %s%n", entry.name(), entry.role().name().toLowerCase(Locale.ROOT), settings);
            }
        }
        out.flush();
    }

    private String commandLine(Race race) {
        StringBuilder line = new StringBuilder("penstock race " + race.name());
        line.append(quick ? " --quick" : "");
        line.append(rounds == null ? "" : " --rounds " + rounds);
        courses.forEach(course -> line.append(" --course ").append(course));
        contestants.forEach(contestant -> line.append(" --contestant ").append(contestant));
        return line.append(" --seed ").append(measuring.seed()).toString();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
