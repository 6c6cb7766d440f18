package dev.penstock.cli;

import dev.penstock.lab.compare.MergedRuns;
import dev.penstock.lab.compare.ResultComparison;
import dev.penstock.lab.compare.check.Finding;
import dev.penstock.lab.compare.check.TableFile;
import dev.penstock.lab.compare.foreign.ResultSource;
import dev.penstock.lab.report.ComparisonTable;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code penstock compare A B}: compares two results, or checks whether one is plausible. */
@Command(
        name = "compare",
        description = {
            "Compares two results of the same experiment: is B faster than A, slower, or the same?",
            "Each is a file written with --json, a JMeter JTL file (CSV), or a k6 summary (JSON)."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        customSynopsis = {"penstock compare [OPTIONS] A B", "penstock compare --check FILE [--label=NAME]"},
        footer = {
            "",
            "Several runs, given as A1,A2,... B1,B2,..., count as blocks; 6 or more of each give verdicts",
            "that include the variation between runs. One run each can show a difference, but not prove it.",
            "Exit codes: 0 done (--check: plausible), 1 --fail-if-slower is met, a result is INVALID,",
            "or --check found an impossible figure, 2 wrong usage.",
            "",
            "Example:  penstock compare before.json after.json --fail-if-slower",
            "          penstock compare --check aggregate.csv"
        })
final class CompareCommand extends Subcommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "A", description = "The reference.")
    private @Nullable String a;

    @Parameters(index = "1", arity = "0..1", paramLabel = "B", description = "The result to judge.")
    private @Nullable String b;

    @Option(
            names = "--check",
            paramLabel = "FILE",
            description =
                    "Check whether the figures of one file are possible, instead of comparing: a result file, or a table in"
                            + " CSV or Markdown with headings such as label, count, time, mean, p50, p90, max, errors, TPS.")
    private @Nullable Path check;

    @Option(names = "--label", paramLabel = "NAME", description = "In JTL files, only use samples with this label.")
    private @Nullable String label;

    @Option(names = "--anyway", description = "Compare even if the loads differ.")
    private boolean anyway;

    @Option(names = "--fail-if-slower", description = "Exit with 1 if B is SLOWER in any metric.")
    private boolean failIfSlower;

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Override
    public Integer call() throws IOException {
        measuring.check();
        if (check != null) {
            if (a != null) {
                throw new IllegalArgumentException("--check takes a single file: remove " + a);
            }
            return check(check);
        }
        if (a == null || b == null) {
            throw new IllegalArgumentException("two results A and B are required, or one with --check");
        }
        return compare(a, b);
    }

    private int compare(String nameOfA, String nameOfB) throws IOException {
        ResultComparison comparison = ResultComparison.of(read(nameOfA), read(nameOfB), anyway);
        ResultFile file = comparison.file(Penstock.version(), Penstock.commandLine(spec), measuring.seed());
        ComparisonTable table = new ComparisonTable(file, comparison.warnings());
        PrintWriter out = out();
        out.println("A " + nameOfA);
        out.println("B " + nameOfB);
        out.println();
        out.print(table.text());
        boolean failed = !file.valid();
        if (failIfSlower && comparison.isSlower()) {
            out.println("failed: B is slower");
            failed = true;
        }
        measuring.write(() -> file, table.markdown());
        return failed ? CommandLineExit.FAILED : CommandLineExit.DONE;
    }

    private int check(Path path) {
        TableFile checked;
        try {
            checked = TableFile.check(path, label);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        PrintWriter out = out();
        for (Finding finding : checked.findings()) {
            out.println(finding.line(finding.row()));
        }
        checked.notes().forEach(note -> out.println("note: " + note));
        out.println(count(checked.rows(), "row") + " checked, "
                + count(checked.findings().size(), "finding")
                + (checked.isImpossible() ? ": these figures are impossible" : ""));
        return checked.isImpossible() ? CommandLineExit.FAILED : CommandLineExit.DONE;
    }

    /** One file, or several separated by commas; an existing file with a comma in its name is one. */
    private ResultFile read(String names) {
        List<ResultFile> files = new ArrayList<>();
        try {
            for (String name : Files.exists(Path.of(names)) ? List.of(names) : List.of(names.split(","))) {
                files.add(ResultSource.read(Path.of(name), label));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return MergedRuns.joined(files);
    }

    private static String count(int number, String what) {
        return (number == 0 ? "no" : number) + " " + what + (number == 1 ? "" : "s");
    }
}
