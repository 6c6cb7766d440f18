package dev.penstock.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Where results go. Looked at before a run, since afterwards the run would have been for nothing. */
final class ResultPath {
    private ResultPath() {}

    /**
     * Looks whether the file can be written; null asks for none.
     *
     * @throws ParameterException when not, in one line that says what to do
     */
    static void check(CommandLine command, @Nullable Path file) {
        String wrong = file == null ? null : whyNot(file);
        if (wrong != null) {
            throw new ParameterException(command, "cannot write " + file + ": " + wrong);
        }
    }

    private static @Nullable String whyNot(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file)) {
            return "it is a directory, give a file in it";
        }
        if (folder == null || !Files.isDirectory(folder)) {
            return "its folder does not exist, make it first";
        }
        boolean writable = Files.isWritable(Files.exists(file) ? file : folder);
        return writable ? null : "this user may not write there, choose another place";
    }
}
