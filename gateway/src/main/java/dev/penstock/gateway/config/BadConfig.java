package dev.penstock.gateway.config;

import dev.penstock.gateway.config.ConfigProblems.ConfigProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A file that cannot be used, for instance a flow file with errors. The message is for operators: one line per problem,
 * in file order. Carries no stack trace, because the error is in the file and not in the program.
 */
public final class BadConfig extends Exception {
    private static final long serialVersionUID = 1L;

    /** The maximum number of problems reported at once. */
    public static final int MAX_PROBLEMS = 20;

    private final List<String> lines;

    private BadConfig(List<String> lines) {
        super(String.join("\n", lines), null, false, false);
        this.lines = lines;
    }

    /** All problems of a file; at least one. */
    public static BadConfig of(Path file, ConfigProblems found) {
        return of(ConfigProblems.in(file), found);
    }

    /**
     * As above.
     *
     * @param where names a location; {@link FileLocation#NOWHERE} is the file as a whole
     */
    public static BadConfig of(Function<FileLocation, String> where, ConfigProblems found) {
        List<ConfigProblem> problems = found.sorted();
        Stream<String> shown = problems.stream().limit(MAX_PROBLEMS).map(problem -> problem.line(where));
        int left = problems.size() - MAX_PROBLEMS;
        Stream<String> more = left > 0
                ? Stream.of(where.apply(FileLocation.NOWHERE) + ": " + left + " more problems; fix these first")
                : Stream.empty();
        return new BadConfig(Stream.concat(shown, more).toList());
    }

    /**
     * The problems, one line each, sorted by line. After {@value #MAX_PROBLEMS}, one last line counts the omitted ones.
     */
    public List<String> lines() {
        return lines;
    }
}
