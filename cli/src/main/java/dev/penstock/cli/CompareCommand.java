package dev.penstock.cli;

import dev.penstock.lab.compare.ResultComparison;
import dev.penstock.lab.compare.MergedRuns;
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
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code penstock compare A B}: compares two results, or checks whether one can be true at all. */
@Command(
        name = "compare",
        description = {
            "Compares two results of the same experiment: is B faster than A, slower, or the same?",
            "Each is a file written with --json, a JTL file of JMeter (CSV), or a summary of k6 (JSON)."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        customSynopsis = {"penstock compare [OPTIONS] A B", "penstock compare --check FILE [--label=NAME]"},
        footer = {
            "",
            "Several runs of the same, given as A1,A2,... B1,B2,..., count as blocks; 6 or more of each make",
            "verdicts that hold from run to run. Of one run each, its parts are compared.",
            "Exit codes: 0 done (--check: nothing impossible), 1 --fail-if-slower is met, a result is INVALID,",
            "or --check found something impossible, 2 wrong usage.",
            "",
            "Example:  penstock compare before.json after.json --fail-if-slower",
            "          penstock compare --check aggregate.csv"
        })
public final class CompareCommand implements Callable<Integer> {
    @Parameters(index = "0", arity = "0..1", paramLabel = "A", description = "The reference.")
    private @Nullable String a;

    @Parameters(index = "1", arity = "0..1", paramLabel = "B", description = "What is judged.")
    private @Nullable String b;

    @Option(
            names = "--check",
            paramLabel = "FILE",
            description =
                    "Check instead whether the figures of one file can be true at all: such results, or a table in"
                            + " CSV or Markdown with headings such as label, count, users, time, mean, p50, p90, max, errors, TPS.")
    private @Nullable Path check;

    @Option(
            names = "--label",
            paramLabel = "NAME",
            description = "Of JTL files, count the samples with this label only.")
    private @Nullable String label;

    @Option(names = "--anyway", description = "Compare different loads too.")
    private boolean anyway;

    @Option(names = "--fail-if-slower", description = "End with 1 when B is SLOWER by any metric.")
    private boolean failIfSlower;

    @Mixin
    private MeasuringOptions measuring = new MeasuringOptions();

    @Spec
    private CommandSpec spec;

    /** A command without arguments yet; picocli fills them in. */
    public CompareCommand() {}

    @Override
    public Integer call() throws IOException {
        measuring.check(spec.commandLine());
        if (check != null) {
            if (a != null) {
                throw wrong("--check takes one file and no other: leave out " + a, null);
            }
            return check(check);
        }
        if (a == null || b == null) {
            throw wrong("give two results to compare, A and B, or one to --check", null);
        }
        return compare(a, b);
    }

    private int compare(String nameOfA, String nameOfB) throws IOException {
        ResultComparison comparison;
        try {
            comparison = ResultComparison.of(read(nameOfA), read(nameOfB), anyway);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()), e);
        }
        ResultFile file = comparison.file(Penstock.version(), Penstock.commandLine(spec), measuring.seed());
        ComparisonTable table = new ComparisonTable(file, comparison.warnings());
        PrintWriter out = spec.commandLine().getOut();
        out.println("A " + nameOfA);
        out.println("B " + nameOfB);
        out.println();
        out.print(table.text());
        boolean failed = !file.valid();
        if (failIfSlower && comparison.isSlower()) {
            out.println("failed: B is slower");
            failed = true;
        }
        out.flush();
        measuring.write(() -> file, table.markdown());
        return failed ? CommandLineExit.FAILED : CommandLineExit.DONE;
    }

    private int check(Path file) {
        TableFile checked;
        try {
            checked = TableFile.check(file, label);
        } catch (IOException e) {
            throw wrong(String.valueOf(e.getMessage()), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        for (Finding finding : checked.findings()) {
            out.println(
                    finding.severity().name().toLowerCase(Locale.ROOT) + ": " + finding.row() + ": " + finding.text());
        }
        out.println(count(checked.rows(), "row") + " checked, "
                + count(checked.findings().size(), "finding")
                + (checked.isImpossible() ? ": this cannot be true as it stands" : ""));
        out.flush();
        return checked.isImpossible() ? CommandLineExit.FAILED : CommandLineExit.DONE;
    }

    /** One file, or several separated by commas them; a file whose name has a comma is one. */
    private ResultFile read(String names) {
        List<ResultFile> files = new ArrayList<>();
        try {
            for (String name : Files.exists(Path.of(names)) ? List.of(names) : List.of(names.split(","))) {
                files.add(ResultSource.read(Path.of(name), label));
            }
        } catch (IOException e) {
            throw wrong(String.valueOf(e.getMessage()), e);
        }
        return MergedRuns.joined(files);
    }

    private static String count(int number, String what) {
        return (number == 0 ? "no" : number) + " " + what + (number == 1 ? "" : "s");
    }

    private ParameterException wrong(String message, @Nullable Exception cause) {
        return new ParameterException(spec.commandLine(), message, cause);
    }
}
