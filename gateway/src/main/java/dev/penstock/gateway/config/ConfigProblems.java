package dev.penstock.gateway.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with a file, in the order it is met, and gives it out by line. For one thread. */
public final class ConfigProblems {
    /** Reading goes on past this many, but they are only counted. */
    private static final int MOST_KEPT = 1_000;

    private final List<ConfigProblem> kept = new ArrayList<>();
    private int count;

    /** Nothing is wrong yet. */
    public ConfigProblems() {}

    /**
     * Adds one.
     *
     * @param place where
     * @param text what is wrong; what to do
     */
    public void add(FileLocation place, String text) {
        add(new ConfigProblem(place, text));
    }

    /** Adds one that concerns the file as a whole; else as {@link #add(Place, String)}. */
    public void add(String text) {
        add(new ConfigProblem(null, text));
    }

    void add(ConfigProblem problem) {
        count++;
        // A node that is used through two aliases is read twice, and wrong once.
        if (kept.size() < MOST_KEPT && !kept.contains(problem)) {
            kept.add(problem);
        }
    }

    /** How many were added so far; a reader compares two counts to learn whether something in between went wrong. */
    public int count() {
        return count;
    }

    List<ConfigProblem> sorted() {
        return kept.stream().sorted(Comparator.comparing(ConfigProblem::sortedBy)).toList();
    }
}
