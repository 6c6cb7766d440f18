package dev.penstock.cli;

import dev.penstock.lab.page.HtmlReport;
import dev.penstock.lab.report.LiveLine;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of all measuring commands. */
final class MeasuringOptions {
    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "The random seed; equal seeds send equal requests. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the results as JSON.")
    private @Nullable Path json;

    @Option(names = "--markdown", paramLabel = "FILE", description = "Write the results as a Markdown table.")
    private @Nullable Path markdown;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write the results as a self-contained HTML page with charts.")
    private @Nullable Path html;

    @Option(names = "--quiet", description = "Do not show progress.")
    private boolean quiet;

    /**
     * Checks before the measurement that the results can be written.
     *
     * @throws IllegalArgumentException they cannot, with a one-line remedy
     */
    void check() {
        checkWritable(json);
        checkWritable(markdown);
        checkWritable(html);
    }

    /**
     * Checks that the file can be written; null is no file.
     *
     * @throws IllegalArgumentException it cannot, with a one-line remedy
     */
    static void checkWritable(@Nullable Path file) {
        String wrong = file == null ? null : problem(file);
        if (wrong != null) {
            throw new IllegalArgumentException("cannot write " + file + ": " + wrong);
        }
    }

    private static @Nullable String problem(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            return "it is a directory; give a file in it";
        }
        if (folder == null || !Files.isDirectory(folder)) {
            return "its folder does not exist; create it first";
        }
        boolean writable = Files.isWritable(Files.exists(file) ? file : folder);
        return writable ? null : "permission denied; choose another location";
    }

    /** Whether any result file is given. */
    boolean namesFiles() {
        return json != null || markdown != null || html != null;
    }

    long seed() {
        return seed;
    }

    /** The progress line, disabled with {@code --quiet}. */
    LiveLine live() {
        return LiveLine.onStandardError(quiet);
    }

    /** Writes the requested files. */
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
