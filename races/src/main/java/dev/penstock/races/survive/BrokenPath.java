package dev.penstock.races.survive;

import java.io.IOException;

/** The network path between a target and its peer. Faults are injected here. */
interface BrokenPath extends AutoCloseable {
    /** Begins a fault. */
    void begin(FaultPlan.Step step) throws IOException;

    /** Stops listening until {@link #heal} is called. */
    void refuse() throws IOException;

    /** Ends the fault that was begun last. Does nothing if there is none. */
    void heal() throws IOException;

    @Override
    void close();
}
