package dev.penstock.http.tls;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file cannot be used. The message is one line: which file, what is wrong, what to do. Exceptions of the JDK's parsers are
 * not kept as causes, because they may quote parts of a key.
 */
final class FileProblem extends IllegalArgumentException {
    private static final int MAX_LENGTH = 160;

    FileProblem(Path file, String what) {
        super(oneLine(file + " " + what));
    }

    FileProblem(Path file, String what, IOException cause) {
        super(oneLine(file + " " + what), cause);
    }

    /** The message of an exception as one line; truncated to 160 characters unless it is one of ours. */
    static String line(Throwable e) {
        @Nullable String text = e.getMessage();
        String line = oneLine(text == null ? e.getClass().getSimpleName() : text);
        return e instanceof IllegalArgumentException || line.length() <= MAX_LENGTH
                ? line
                : line.substring(0, MAX_LENGTH) + "...";
    }

    static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }
}
