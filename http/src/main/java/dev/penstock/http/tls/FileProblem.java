package dev.penstock.http.tls;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that cannot be used, as one line: which file, what is wrong, what to do. Errors of the JDK's parsers are not kept
 * as causes: what they quote may be a part of a key.
 */
final class FileProblem extends IllegalArgumentException {
    private static final int LONGEST = 160;

    FileProblem(Path file, String what) {
        super(oneLine(file + " " + what));
    }

    FileProblem(Path file, String what, IOException cause) {
        super(oneLine(file + " " + what), cause);
    }

    /** What an exception says, as one line; a short one, unless it is one of our own. */
    static String line(Throwable e) {
        @Nullable String text = e.getMessage();
        String line = oneLine(text == null ? e.getClass().getSimpleName() : text);
        return e instanceof IllegalArgumentException || line.length() <= LONGEST
                ? line
                : line.substring(0, LONGEST) + "...";
    }

    static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ").strip();
    }
}
