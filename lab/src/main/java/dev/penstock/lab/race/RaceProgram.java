package dev.penstock.lab.race;

import java.util.concurrent.Callable;

/**
 * A race that compares no contestants, and so has options of its own: a picocli command, run as {@code penstock race NAME}. Found
 * by {@link java.util.ServiceLoader}, so that the command needs to know none.
 */
public interface RaceProgram extends Callable<Integer> {
    /** Its name on the command line. */
    String name();
}
