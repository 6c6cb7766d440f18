package dev.penstock.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Checks a result file before a run, so that no run is wasted. */
final class ResultPath {
    private ResultPath() {}

    /**
     * Checks that the file can be written; null is no file.
     *
     * @throws ParameterException it cannot, with a one-line remedy
     */
    static void check(CommandLine command, @Nullable Path file) {
        String wrong = file == null ? null : problem(file);
        if (wrong != null) {
            throw new ParameterException(command, "cannot write " + file + ": " + wrong);
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
}
