package dev.penstock.lab.race;

import dev.penstock.lab.measure.TimeLine;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The environment of a contestant during one block: in the runner's JVM, fresh for each block. For one thread. */
public interface Scene extends AutoCloseable {
    /** An empty scene. */
    Scene EMPTY = new Scene() {};

    /** Parameters for the contestant, for instance {@code url}. */
    default Map<String, String> parameters() {
        return Map.of();
    }

    /**
     * Called when the load starts: the reference time of faults.
     *
     * @throws InterruptedException when the race is stopped
     */
    default void begin() throws InterruptedException {}

    /** The scene's metrics, read after the load; they are added to the contestant's. */
    default Map<String, Double> metrics() {
        return Map.of();
    }

    /** The times of faults, in seconds since {@link #begin()}. */
    default List<TimeLine.Fault> faults() {
        return List.of();
    }

    @Override
    default void close() throws IOException {}
}
