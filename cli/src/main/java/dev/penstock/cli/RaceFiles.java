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

/** The folder for the results of each race. */
final class RaceFiles {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "race-results",
            description = "The folder for the results of each race; created if missing. Default: ${DEFAULT-VALUE}.")
    private Path folder = Path.of("race-results");

    /** For picocli. */
    RaceFiles() {}

    /**
     * Creates the folder, before anything is measured.
     *
     * @throws ParameterException it cannot be created or written to, with a one-line remedy
     */
    void check(CommandLine command) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new ParameterException(
                    command, "cannot create the folder " + folder + ": choose another with --out", e);
        }
        if (!Files.isWritable(folder)) {
            throw new ParameterException(
                    command, "no permission to write to the folder " + folder + ": choose another with --out");
        }
    }

    /** Writes the results of a race, replacing earlier ones; returns the files. */
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
