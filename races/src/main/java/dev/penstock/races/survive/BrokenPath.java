package dev.penstock.races.survive;

import java.io.IOException;

/** The way between a target and its peer, which faults break. */
interface BrokenPath extends AutoCloseable {
    /** Begins a fault. */
    void begin(FaultPlan.Step step) throws IOException;

    /** From now on nothing listens, until {@link #heal}. */
    void refuse() throws IOException;

    /** Ends the fault that was begun last; does nothing when there is none. */
    void heal() throws IOException;

    @Override
    void close();
}
