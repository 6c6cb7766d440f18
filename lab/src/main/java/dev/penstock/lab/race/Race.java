package dev.penstock.lab.race;

import java.util.List;

/**
 * An experiment: contestants run the same courses, block by block in random order, and are compared. Found by
 * {@link java.util.ServiceLoader}, so that the command line depends on no race.
 */
public interface Race {
    /** Its name on the command line and in result files, for instance {@code http-pool}. */
    String name();

    /** The question it answers, in one line. */
    String question();

    /** Its courses, at least one; names are unique within the race. */
    List<Course> courses();
}
