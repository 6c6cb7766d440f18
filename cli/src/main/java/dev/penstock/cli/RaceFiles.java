package dev.penstock.cli;

import dev.penstock.lab.page.HtmlReport;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The folder that each race leaves its results in. */
final class RaceFiles {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "race-results",
            description = "Where each race writes its results; made when missing. Default: ${DEFAULT-VALUE}.")
    private Path folder = Path.of("race-results");

    /** Options not given yet; picocli fills them in. */
    RaceFiles() {}

    /**
     * Makes the folder, before anything is measured.
     *
     * @throws ParameterException when it cannot be made or written to, in one line that says what to do
     */
    void check(CommandLine command) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ParameterException(
                    command, "cannot make the folder " + folder + ": choose another with --out", e);
        }
        if (!Files.isWritable(folder)) {
            throw new ParameterException(
                    command, "this user may not write to the folder " + folder + ": choose another with --out");
        }
    }

    /** Writes a race's results in place of its last ones; the files it wrote. */
    List<Path> write(ResultFile file, String markdown) throws IOException {
        Path json = folder.resolve(file.experiment() + ".json");
        Path text = folder.resolve(file.experiment() + ".md");
        Path page = folder.resolve(file.experiment() + ".html");
        file.write(json);
        ResultFile.writeText(text, markdown);
        HtmlReport.write(file, page);
        return List.of(json, text, page);
    }
}
