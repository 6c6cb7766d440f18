package dev.penstock.gateway.config;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file that cannot be used, for instance a flow file that cannot be run. Its message is made for people: one line for each problem, in the order of the file.
 * Carries no stack trace, because it tells of the file and not of the program.
 */
public final class BadConfig extends Exception {
    private static final long serialVersionUID = 1L;

    /** At most this many problems are told at once. */
    public static final int MOST_PROBLEMS = 20;

    private final List<String> lines;

    private BadConfig(List<String> lines) {
        super(String.join("\n", lines), null, false, false);
        this.lines = lines;
    }

    /** All problems of a file, of which there is at least one. */
    public static BadConfig of(Path file, ConfigProblems found) {
        String name = Quoted.whole(file.toString());
        List<ConfigProblem> problems = found.sorted();
        Stream<String> told = problems.stream().limit(MOST_PROBLEMS).map(problem -> problem.line(name));
        int left = problems.size() - MOST_PROBLEMS;
        Stream<String> rest = left > 0 ? Stream.of(name + ": " + left + " more; mend these first") : Stream.empty();
        return new BadConfig(Stream.concat(told, rest).toList());
    }

    /** The problems, one line each, sorted by line; after {@value #MOST_PROBLEMS} one last line says how many are left out. */
    public List<String> lines() {
        return lines;
    }
}
