package dev.penstock.cli;

import dev.penstock.lab.compare.check.Finding;
import dev.penstock.lab.compare.check.TableCheck;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.RunBook;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock runs}: the results of a series of loads. */
@Command(name = "runs", description = "Shows the results of a series of loads.", mixinStandardHelpOptions = true)
final class RunsCommand extends Subcommand {
    @Override
    public Integer call() {
        spec.commandLine().usage(out());
        return CommandLineExit.DONE;
    }

    /** Prints one table of all loads in a folder. */
    @Command(
            name = "table",
            description = "Prints one table of the load results in a folder, and checks their figures.",
            mixinStandardHelpOptions = true,
            footer = {
                "",
                "Exit codes: 0 done, 1 a result is INVALID or has impossible figures, 2 wrong usage.",
                "",
                "Example:  penstock load http://127.0.0.1:8080/ --users 50 --note 'threads=20' --json runs/a.json",
                "          penstock runs table runs --by users,threads"
            })
    int table(
            @Parameters(paramLabel = "FOLDER", description = "A folder with result files written by load --json.")
                    Path folder,
            @Option(
                            names = "--by",
                            paramLabel = "KEY",
                            split = ",",
                            description =
                                    "Columns that say what was varied, and sort the table: users, rate, label (a row for"
                                            + " each), a setting of the results, or a NAME from --note NAME=VALUE.")
                    @Nullable
                    List<String> by,
            @Option(names = "--markdown", paramLabel = "FILE", description = "Also write the table as Markdown.")
                    @Nullable
                    Path markdown)
            throws IOException {
        MeasuringOptions.checkWritable(markdown);
        RunBook book = new RunBook(by == null ? List.of() : by);
        PrintWriter out = out();
        boolean failed = false;
        boolean any = false;
        StringBuilder findings = new StringBuilder();
        for (Path path : files(folder)) {
            ResultFile file = ResultFile.read(path);
            String name = path.getFileName().toString().replaceFirst("\\.json$", "");
            if (book.add(name, file)) {
                any = true;
                failed |= !file.valid();
                for (Finding finding : TableCheck.of(file)) {
                    failed |= finding.severity() == Finding.Severity.IMPOSSIBLE;
                    findings.append(finding.line(name)).append(System.lineSeparator());
                }
            }
        }
        if (!any) {
            throw new IllegalArgumentException(folder + " has no results of loads: write some with load --json");
        }
        out.print(book.text());
        out.print(findings);
        if (markdown != null) {
            ResultFile.writeText(markdown, book.markdown());
        }
        return failed ? CommandLineExit.FAILED : CommandLineExit.DONE;
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException(folder + " is not a folder: give the one with the result files");
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
    }
}
