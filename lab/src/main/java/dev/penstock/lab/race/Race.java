package dev.penstock.lab.race;

import java.util.List;

/**
 * An experiment: contestants run the same course, block by block in random order, and are compared. It has one or more
 * courses, run one after another. Found by {@link java.util.ServiceLoader}, so that the command needs to know none.
 */
public interface Race {
    /** Its name on the command line and in result files, for instance {@code http-pool}. */
    String name();

    /** What it asks, in one line for people. */
    String question();

    /** What is run, at least one; names are unique within the race. */
    List<Course> courses();
}
