package dev.penstock.cli;

import dev.penstock.lab.page.HtmlReport;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class RaceCommand extends Subcommand {
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

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "race-results",
            description = "The folder for the results of each race; created if missing. Default: ${DEFAULT-VALUE}.")
    private Path folder = Path.of("race-results");

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Override
    public Integer call() throws Exception {
        List<Race> races = chosen();
        if (list) {
            races.forEach(this::describe);
            return CommandLineExit.DONE;
        }
        if (quick && rounds != null) {
            throw new IllegalArgumentException(
                    "--quick runs one block each, so --rounds has no effect: remove one of them");
        }
        if (races.size() > 1 && measuring.namesFiles()) {
            throw new IllegalArgumentException("several races would write to one file: name one race, or use --out");
        }
        measuring.check();
        createFolder();
        boolean valid = true;
        for (Race race : races) {
            RaceRunner runner = runner(race);
            valid &= StopSignal.guard(this, () -> run(race, runner)) == CommandLineExit.DONE;
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
        out().print(table.text());
        measuring.write(() -> file, table.markdown());
        write(file, table.markdown());
        return file.valid() ? CommandLineExit.DONE : CommandLineExit.FAILED;
    }

    /** Creates the folder for results, before anything is measured. */
    private void createFolder() {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot create the folder " + folder + ": choose another with --out", e);
        }
        if (!Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    "no permission to write to the folder " + folder + ": choose another with --out");
        }
    }

    /** Writes the results of a race, replacing earlier ones. */
    private void write(ResultFile file, String markdown) throws IOException {
        Path json = folder.resolve(file.experiment() + ".json");
        Path text = folder.resolve(file.experiment() + ".md");
        Path page = folder.resolve(file.experiment() + ".html");
        file.write(json);
        ResultFile.writeText(text, markdown);
        HtmlReport.write(file, page);
        Stream.of(json, text, page).forEach(written -> out().println("wrote " + written));
    }

    private RaceRunner runner(Race race) {
        RaceRunner runner = RaceRunner.of(race)
                .effort(quick ? Effort.QUICK : Effort.FULL)
                .seed(measuring.seed())
                .courses(only(courses))
                .contestants(only(contestants));
        return rounds == null ? runner : runner.rounds(rounds);
    }

    private static Predicate<String> only(List<String> selected) {
        return selected.isEmpty() ? name -> true : selected::contains;
    }

    private List<Race> chosen() {
        List<Race> all = Races.all();
        if (all.isEmpty()) {
            throw new IllegalArgumentException(
                    "no races found: they need the peers, which are not shipped; run ./penstock race in a "
                            + "source checkout");
        }
        List<Race> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(all.stream()
                    .filter(race -> race.name().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            new IllegalArgumentException("unknown race " + name + "; known races: " + namesOf(all))));
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
                throw new IllegalArgumentException("unknown " + what + " " + name + "; known: "
                        + existing.stream().distinct().collect(Collectors.joining(", ")));
            }
        }
    }

    private static String namesOf(List<Race> races) {
        return races.stream().map(Race::name).collect(Collectors.joining(", "));
    }

    private void describe(Race race) {
        PrintWriter out = out();
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
    }

    private String commandLine(Race race) {
        StringBuilder line = new StringBuilder("penstock race " + race.name());
        line.append(quick ? " --quick" : "");
        line.append(rounds == null ? "" : " --rounds " + rounds);
        courses.forEach(course -> line.append(" --course ").append(course));
        contestants.forEach(contestant -> line.append(" --contestant ").append(contestant));
        return line.append(" --seed ").append(measuring.seed()).toString();
    }
}
