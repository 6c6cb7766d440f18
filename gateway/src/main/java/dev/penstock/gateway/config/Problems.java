package dev.penstock.gateway.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects problems in the order they are met; gives them out by line. For one thread. */
final class Problems {
    /** Reading goes on past this many, but they are only counted. */
    private static final int MOST_KEPT = 1_000;

    private final List<Problem> kept = new ArrayList<>();
    private int count;

    void add(Place place, String text) {
        add(new Problem(place, text));
    }

    void add(Problem problem) {
        count++;
        // A node that is used through two aliases is read twice, and wrong once.
        if (kept.size() < MOST_KEPT && !kept.contains(problem)) {
            kept.add(problem);
        }
    }

    /** How many were added so far; a reader compares two counts to learn whether something in between went wrong. */
    int count() {
        return count;
    }

    List<Problem> sorted() {
        return kept.stream().sorted(Comparator.comparing(Problem::sortedBy)).toList();
    }
}
