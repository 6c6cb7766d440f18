package dev.penstock.jms.kit;

import dev.penstock.jms.JmsBroker;
import java.io.IOException;

/** A real broker in a process of its own, with its messages on disk. For one thread. */
public interface TestedBroker extends AutoCloseable {
    /** Where clients find it. */
    JmsBroker at();

    /** The address of a queue that was named when it started. */
    default String address(String queue) {
        return queue;
    }

    /** kill -9. Does nothing when it does not run. */
    void kill();

    /**
     * Starts it again on the same folder and port; kills it first where it runs. Waits until it takes connections.
     *
     * @throws IOException it does not start, with its last words
     */
    void restart() throws IOException;

    @Override
    void close() throws IOException;
}
