package dev.penstock.gateway.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects the problems of a file and returns them sorted by line. Not thread-safe. */
public final class ConfigProblems {
    /** Further problems are only counted. */
    private static final int MAX_KEPT = 1_000;

    private final List<ConfigProblem> kept = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private int count;

    /** No problems yet. */
    public ConfigProblems() {}

    /**
     * Adds a problem.
     *
     * @param location where it is in the file
     * @param text what is wrong; what to do
     */
    public void add(FileLocation location, String text) {
        add(new ConfigProblem(location, text));
    }

    /** Adds a problem of the file as a whole. */
    public void add(String text) {
        add(new ConfigProblem(null, text));
    }

    /** Notes that the value of a key cannot be used, so that nothing is concluded from what stands in for it. */
    void refuse(String key) {
        refused.add(key);
    }

    /** The number of keys refused so far. */
    public int refusals() {
        return refused.size();
    }

    /**
     * Whether one of these keys, or one above or below it, was refused since then.
     *
     * @param keys with dots, those of a flow without {@code flows.NAME}
     * @param since an earlier {@link #refusals()}
     */
    public boolean isAnyRefused(List<String> keys, int since) {
        return refused.stream()
                .skip(since)
                .anyMatch(name -> keys.stream()
                        .anyMatch(key -> (name + ".").startsWith(key + ".") || (key + ".").startsWith(name + ".")));
    }

    void add(ConfigProblem problem) {
        count++;
        // A node that is used through two aliases is read twice but must be reported once.
        if (kept.size() < MAX_KEPT && !kept.contains(problem)) {
            kept.add(problem);
        }
    }

    /** The number of problems added so far. Comparing two counts shows whether reading something in between failed. */
    public int count() {
        return count;
    }

    /** The problems as warnings about a file, one line each, sorted by line. */
    public List<String> warningLines(Path file) {
        return warningLines(in(file));
    }

    /**
     * As above.
     *
     * @param where names a location; {@link FileLocation#NOWHERE} is the file as a whole
     */
    public List<String> warningLines(Function<FileLocation, String> where) {
        return sorted().stream()
                .map(found -> new ConfigProblem(found.location(), "warning: " + found.text()).line(where))
                .toList();
    }

    /** Names locations in a file. */
    static Function<FileLocation, String> in(Path file) {
        String name = Quoted.whole(file.toString());
        return at -> at.equals(FileLocation.NOWHERE) ? name : name + ":" + at.line() + ":" + at.column();
    }

    List<ConfigProblem> sorted() {
        return kept.stream()
                .sorted(Comparator.comparing(ConfigProblem::sortedBy))
                .toList();
    }

    /**
     * One error or warning of a flow file.
     *
     * @param location where it is; null for the file as a whole, for instance when it does not exist
     * @param text what is wrong; what to do
     */
    record ConfigProblem(@Nullable FileLocation location, String text) {
        /** The line shown to the operator. */
        String line(Function<FileLocation, String> where) {
            return where.apply(sortedBy()) + ": " + text;
        }

        FileLocation sortedBy() {
            return location == null ? FileLocation.NOWHERE : location;
        }
    }
}
