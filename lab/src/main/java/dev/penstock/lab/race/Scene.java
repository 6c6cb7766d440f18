package dev.penstock.lab.race;

import dev.penstock.lab.measure.TimeLine;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What surrounds a contestant in one block: in the runner's JVM, fresh for each block. For one thread. */
public interface Scene extends AutoCloseable {
    /** A scene with nothing in it. */
    Scene EMPTY = new Scene() {};

    /** What the contestant has to know, for instance {@code url}. */
    default Map<String, String> parameters() {
        return Map.of();
    }

    /** Told when the load starts: faults count their time from here. */
    default void begin() {}

    /** Figures of its own, asked when the load is over; they join those of the contestant. */
    default Map<String, Double> metrics() {
        return Map.of();
    }

    /** When faults happened, in seconds since {@link #begin()}. */
    default List<TimeLine.Fault> faults() {
        return List.of();
    }

    @Override
    default void close() throws IOException {}
}
