package dev.penstock.cli;

import dev.penstock.lab.page.HtmlReport;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.ResultFile;
import dev.penstock.lab.report.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options that every measuring command has. */
final class MeasuringOptions {
    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Where chance begins; the same seed sends the same. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
    private @Nullable Path json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the results as a Markdown table.")
    private @Nullable Path markdown;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write the results as one HTML page with plots; it needs no other file and no network.")
    private @Nullable Path html;

    @Option(names = "--quiet", description = "Show no progress.")
    private boolean quiet;

    /** Options not given yet; picocli fills them in. */
    MeasuringOptions() {}

    /**
     * Looks whether the results can be written, before they are measured.
     *
     * @throws CommandLine.ParameterException when not, in one line that says what to do
     */
    void check(CommandLine command) {
        ResultPath.check(command, json);
        ResultPath.check(command, markdown);
        ResultPath.check(command, html);
    }

    /** Whether results go to files that were named. */
    boolean namesFiles() {
        return json != null || markdown != null || html != null;
    }

    long seed() {
        return seed;
    }

    /** Where progress is shown, if it is. */
    LiveLine live() {
        return LiveLine.onStandardError(quiet);
    }

    /** Writes the files that were asked for. */
    void write(Supplier<ResultFile> file, ResultTable table) throws IOException {
        write(file, table.markdown());
    }

    /** Writes the files that were asked for. */
    void write(Supplier<ResultFile> file, String asMarkdown) throws IOException {
        if (json != null) {
            file.get().write(json);
        }
        if (markdown != null) {
            ResultFile.writeText(markdown, asMarkdown);
        }
        if (html != null) {
            HtmlReport.write(file.get(), html);
        }
    }
}
