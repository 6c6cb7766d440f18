package dev.penstock.lab.race;

import dev.penstock.lab.measure.Progress;
import java.util.Map;

/** What connects a contestant's block with the runner, whether or not it has a JVM of its own. */
public interface Cue {
    /** What the scene said. */
    Map<String, String> parameters();

    /**
     * Says that the contestant is ready, and returns when the load is to start: at once with the scene's beginning.
     *
     * @throws InterruptedException when the race is over
     */
    void ready() throws InterruptedException;

    /** Tells how far the load has come. */
    void progress(Progress progress);
}
