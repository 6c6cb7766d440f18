package dev.penstock.kafka.source;

import java.io.IOException;

/** Receives records from start to close. Thread-safe. */
interface Receiver {
    /**
     * Starts.
     *
     * @throws IOException when the broker refuses it for good
     */
    void start() throws IOException;

    /** Ends: what has ended is committed, all else is left to other consumers. */
    void close();
}
