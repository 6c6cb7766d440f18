package dev.penstock.gateway.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the problems of a file and returns them sorted by line. Not thread-safe. */
public final class ConfigProblems {
    /** Further problems are only counted. */
    private static final int MAX_KEPT = 1_000;

    private final List<ConfigProblem> kept = new ArrayList<>();
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

    List<ConfigProblem> sorted() {
        return kept.stream()
                .sorted(Comparator.comparing(ConfigProblem::sortedBy))
                .toList();
    }
}
