package dev.penstock.lab.race;

import java.util.concurrent.Callable;

/**
 * A race that compares no contestants, and so has its own options: a picocli command, run as
 * {@code penstock race NAME}. Found by {@link java.util.ServiceLoader}, so that the command line depends on no race.
 */
public interface RaceProgram extends Callable<Integer> {
    /** Its name on the command line. */
    String name();
}
