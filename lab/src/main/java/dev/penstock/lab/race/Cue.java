package dev.penstock.lab.race;

import dev.penstock.lab.measure.Progress;
import java.util.Map;

/** Connects a contestant's block with the runner, in the same or another JVM. */
public interface Cue {
    /** The scene's parameters. */
    Map<String, String> parameters();

    /**
     * Signals that the contestant is ready, and returns when the load is to start, together with the scene.
     *
     * @throws InterruptedException when the race is stopped
     */
    void ready() throws InterruptedException;

    /** Reports the load's progress. */
    void progress(Progress progress);
}
